import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { preparePasskeys } from '../../lib/passkeys.ts'
import { passkeysSupported } from '../../lib/passkeys-supported.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { PlusIcon } from '../../ui/inner-icons.tsx'
import { Rows } from '../../ui/row.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { passkeyList } from './data.ts'
import { PasskeyRow } from './passkey-row.tsx'
import { useAddPasskey } from './use-add-passkey.ts'

/** The passkeys of the account, and the way to one more. */
export function PasskeysCard() {
  const { t } = useI18n()
  const [failed, setFailed] = useState<string | null>(null)
  const { add, busy } = useAddPasskey(setFailed)
  const { data, error, refetch, isFetching } = useQuery(passkeyList(useWires()))
  const able = passkeysSupported()
  return (
    <Card aria-labelledby="passkeys">
      <CardHead
        id="passkeys"
        title={t('security.passkeys.title')}
        text={t('security.passkeys.text')}
        action={
          able && (
            <Button
              size="small"
              busy={busy}
              onPointerEnter={preparePasskeys}
              onFocus={preparePasskeys}
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
      ) : data || error ? (
        <CardBody className="flex flex-wrap items-center justify-between gap-4 pt-0">
          <p className="text-muted">
            {!data
              ? t('security.passkeys.failed')
              : able
                ? t('security.passkeys.empty')
                : t('proof.passkey.unsupported')}
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
