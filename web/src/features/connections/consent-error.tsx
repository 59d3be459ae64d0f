import type { ProblemCode } from '@vrata/contract'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DoorAjar } from '../../ui/error-state.tsx'
import { PublicCard } from '../../ui/public-card.tsx'

/** What the server says at `/oauth?error=…` (`issuer/refusals.ts`), and what its API says of an app or request. */
const ERRORS = [
  'invalid_client',
  'client_disabled',
  'user_blocked',
  'invalid_redirect_uri',
  'request_expired',
  'invalid_request',
  'unknown_scope',
  'server_error',
] as const
export type PageError = (typeof ERRORS)[number]

/** The page for a problem of the API. Where a request waited, "not found" is that request: apps seldom vanish. */
export function pageErrorOf(code: ProblemCode, uid: string | undefined): PageError | undefined {
  if (code === 'not_found') return uid ? 'request_expired' : 'invalid_client'
  if (code === 'client_disabled' || code === 'user_blocked' || code === 'unknown_scope' || code === 'invalid_request')
    return code
  return undefined
}

export type ConsentErrorProps = {
  error: string
  client_id?: string | undefined
  /** The request that waits, for somebody who may go on with another account. */
  uid?: string | undefined
}

/** Names what is wrong, and leads nowhere but home: no address of a bad request is followed (RFC 9700 §4.11). */
export function ConsentError({ error, client_id, uid }: ConsentErrorProps) {
  const { t } = useI18n()
  const known = ERRORS.find((code) => code === error) ?? 'server_error'
  return (
    <PublicCard>
      <div className="flex flex-col items-center text-center">
        <DoorAjar />
        <h1 tabIndex={-1} className="text-head">
          {t(`connections.error.${known}.title`)}
        </h1>
        <p className="mt-2 text-lead text-muted">{t(`connections.error.${known}.text`)}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          {known === 'user_blocked' && uid && (
            <ButtonLink href={paths.sessionEnded(`/authorize/${encodeURIComponent(uid)}`)}>
              {t('connections.change_account')}
            </ButtonLink>
          )}
          <ButtonLink href={paths.home}>{t('ui.home')}</ButtonLink>
        </div>
        {/* For the makers of the app, to whom people send a picture of this page. */}
        <dl className="mt-8 grid max-w-full grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-left text-small text-muted">
          <dt>{t('connections.error.code')}</dt>
          <dd className="font-mono select-all">{known}</dd>
          {client_id && (
            <>
              <dt>{t('connections.error.app')}</dt>
              <dd className="truncate font-mono select-all">{client_id}</dd>
            </>
          )}
        </dl>
      </div>
    </PublicCard>
  )
}
