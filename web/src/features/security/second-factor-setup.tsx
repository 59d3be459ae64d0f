import { useHydrated } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { preloadPasskeys } from '../../lib/passkeys/passkeys.ts'
import { passkeysSupported } from '../../lib/passkeys/passkeys-supported.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { MessageText } from '../../ui/form/form.tsx'
import { KeyIcon } from '../../ui/icons/icons.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'
import { useAddPasskey } from './passkeys/use-add-passkey.ts'
import { SignOutLink } from './sign-out-link.tsx'
import { EnableTwoFactor } from './two-factor/enable-two-factor.tsx'

type Props = {
  title: string
  text: string
  /** Two-step sign-in is being turned on, or it is on and the recovery codes are not saved yet. */
  onSaving: (saving: boolean) => void
}

/** Adds a second factor: a passkey or two-step sign-in. */
export function SecondFactorSetup({ title, text, onSaving }: Props) {
  const { t } = useI18n()
  const { policy: known } = useAppContext()
  const { email_verified, otp_enabled } = useUser()
  const [failed, setFailed] = useState<string | null>(null)
  const [begun, setBegun] = useState(false)
  const { add, busy } = useAddPasskey(setFailed)
  // The server does not know the browser.
  const able = !useHydrated() || passkeysSupported()
  const offersPasskey = able && email_verified && !otp_enabled && (known?.passkey_sign_in ?? true)
  useEffect(preloadPasskeys, [])

  return (
    <PublicCard title={title} text={text}>
      <div className="flex flex-col gap-5">
        {offersPasskey && (
          <div className="flex flex-col gap-3">
            {failed && (
              <div role="alert">
                <MessageText>{failed}</MessageText>
              </div>
            )}
            <Button
              look={begun ? 'quiet' : 'primary'}
              wide
              busy={busy}
              onClick={async () => {
                // A code whose answer was lost holds up nothing then.
                if (await add({ naming: false })) onSaving(false)
              }}
            >
              <KeyIcon />
              {t('security.passkeys.add')}
            </Button>
          </div>
        )}
        <EnableTwoFactor
          look={offersPasskey ? 'quiet' : 'primary'}
          onBegun={() => setBegun(true)}
          onSaving={onSaving}
        />
      </div>
      {!otp_enabled && <SignOutLink />}
    </PublicCard>
  )
}
