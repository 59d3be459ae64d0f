import { useQuery } from '@tanstack/react-query'
import { useHydrated } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { preloadPasskeys } from '../../../lib/passkeys/passkeys.ts'
import { passkeysSupported } from '../../../lib/passkeys/passkeys-supported.ts'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { PlusIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { Rows } from '../../../ui/layout/row.tsx'
import { ConfirmEmailFirst } from '../confirm-email-first.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { passkeyList } from './queries.ts'
import { useAddPasskey } from './use-add-passkey.ts'

/** Passkeys of the account. */
export function PasskeysCard() {
  const { t } = useI18n()
  const [failed, setFailed] = useState<string | null>(null)
  const { add, busy } = useAddPasskey(setFailed)
  const { data, error, refetch, isFetching } = useQuery(passkeyList(useAppContext()))
  const hydrated = useHydrated()
  // The server does not know the browser; nearly all support passkeys.
  const able = !hydrated || passkeysSupported()
  const { email_verified } = useUser()
  return (
    <Card aria-labelledby="passkeys">
      <CardHead
        id="passkeys"
        title={t('security.passkeys.title')}
        text={t('security.passkeys.text')}
        action={
          able &&
          email_verified && (
            <Button
              size="small"
              busy={busy}
              onPointerEnter={preloadPasskeys}
              onFocus={preloadPasskeys}
              onClick={() => void add()}
            >
              <PlusIcon size={18} />
              {t('security.passkeys.add')}
            </Button>
          )
        }
      />
      <div role="alert" className="empty:hidden">
        {failed && (
          <p className="mx-5 mb-4 flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium sm:mx-6">
            <AlertIcon className="mt-0.5 text-danger" />
            <span className="min-w-0">{failed}</span>
          </p>
        )}
      </div>
      {data?.length ? (
        <Rows label={t('security.passkeys.title')}>
          {data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </Rows>
      ) : data && !email_verified ? (
        <ConfirmEmailFirst page={paths.passkeys} />
      ) : data || error ? (
        <CardBody className="flex flex-wrap items-center justify-between gap-4 pt-0">
          <p className="text-muted">
            {!data
              ? t('security.passkeys.failed')
              : able
                ? t('security.passkeys.empty')
                : t('second-factor.passkey.unsupported')}
          </p>
          {!data && (
            <Button size="small" busy={isFetching} onClick={() => void refetch()}>
              {t('ui.try_again')}
            </Button>
          )}
        </CardBody>
      ) : (
        <SkeletonRows rows={1} label={t('security.passkeys.loading')} />
      )}
    </Card>
  )
}
