import { security } from '@vrata/contract'
import { useEffect, useState } from 'react'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { preloadPasskeys } from '../../../lib/passkeys/passkeys.ts'
import { useContinue } from '../../../lib/use-continue.ts'
import { Button } from '../../../ui/button.tsx'
import { AlertIcon, KeyIcon } from '../../../ui/icons/icons.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { useAddPasskey } from './use-add-passkey.ts'

/** Offers a passkey once after a sign-in with the password; both buttons continue where the sign-in was going. */
export function OfferPasskeyPage() {
  const { t } = useI18n()
  const { api } = useAppContext()
  const continueTo = useContinue()
  const [failed, setFailed] = useState<string | null>(null)
  const [leaving, setLeaving] = useState(false)
  const { add, busy } = useAddPasskey(setFailed)

  useEffect(() => {
    preloadPasskeys()
    // Also for users who close the page.
    void api(security.dismissPasskeyOffer)
  }, [api])

  async function leave() {
    setLeaving(true)
    await continueTo()
  }

  return (
    <PublicCard title={t('security.offer.title')} text={t('security.offer.text')}>
      <div role="alert" className="empty:hidden">
        {failed && (
          <p className="mb-5 flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
            <AlertIcon className="mt-0.5 text-danger" />
            <span className="min-w-0">{failed}</span>
          </p>
        )}
      </div>
      <div className="flex flex-col gap-3">
        <Button
          look="primary"
          wide
          busy={busy}
          onClick={async () => {
            if (await add({ naming: false })) await leave()
          }}
        >
          <KeyIcon />
          {t('security.passkeys.add')}
        </Button>
        <Button wide busy={leaving} onClick={() => void leave()}>
          {t('security.offer.later')}
        </Button>
      </div>
    </PublicCard>
  )
}
