import type { ProblemCode } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { REQUEST_ERRORS } from '@vrata/contract/request-errors'
import { isRequestUid } from '@vrata/contract/request-uid'
import { useEffect } from 'react'
import { useI18n } from '../../../lib/i18n.tsx'
import { useSession } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { DoorAjar } from '../../../ui/feedback/error-state.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { useSwitchAccount } from './use-switch-account.ts'

/** Error codes of `/oauth?error=…`, and of the calls of the consent page. */
const ERRORS = [...REQUEST_ERRORS, 'no_access', 'request_gone', 'unknown_scope'] as const
type PageError = (typeof ERRORS)[number]

/** Page error for a problem of the API. With a pending request, `not_found` means that the request has expired. */
export function pageErrorOf(code: ProblemCode, uid: string | undefined): PageError | undefined {
  if (code === 'not_found' && uid && isRequestUid(uid)) return 'request_gone'
  if (code === 'not_found') return uid ? 'request_expired' : 'invalid_client'
  if (
    code === 'client_disabled' ||
    code === 'client_not_approved' ||
    code === 'user_blocked' ||
    code === 'no_access' ||
    code === 'unknown_scope' ||
    code === 'invalid_request'
  )
    return code
  return undefined
}

export type ConsentErrorProps = {
  error: string
  client_id?: string | undefined
  /** Pending request, which can continue with another account. */
  uid?: string | undefined
  /** A request to sign out was refused: who was signed in still is. */
  signOut?: boolean
}

/**
 * Explains the error and links to the home page only: addresses of invalid requests are not followed (RFC 9700 §4.11).
 */
export function ConsentError({ error, client_id, uid, signOut }: ConsentErrorProps) {
  const { t } = useI18n()
  const user = useSession()
  const known = ERRORS.find((code) => code === error) ?? 'server_error'
  const title = t(`connections.error.${known}.title`)
  const stillSignedIn = user && signOut
  useDocumentTitle(title)
  return (
    <PublicCard>
      <div className="flex flex-col items-center text-center">
        <DoorAjar />
        <h1 tabIndex={-1} className="text-head">
          {title}
        </h1>
        <p className="mt-2 text-lead text-muted">{t(`connections.error.${known}.text`)}</p>
        {stillSignedIn && <p className="mt-2 text-lead">{t('connections.error.still_signed_in')}</p>}
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          {known === 'user_blocked' && uid && user && <SwitchAccount back={paths.interaction(uid)} />}
          {known === 'request_gone' && uid && client_id && user && (
            <SwitchAccount back={paths.consent({ uid, client_id })} />
          )}
          {stillSignedIn && <ButtonLink href={paths.logout}>{t('ui.sign_out')}</ButtonLink>}
          <ButtonLink href={paths.home}>{t('ui.home')}</ButtonLink>
        </div>
        {/* For the developers of the app, who receive screenshots of this page. */}
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

/** The title of the address asks to allow access. It returns when the page is shown for a request that can be answered. */
function useDocumentTitle(title: string): void {
  const { t } = useI18n()
  useEffect(() => {
    const full = `${title} · ${t('ui.product')}`
    document.title = full
    return () => {
      if (document.title === full) document.title = `${t('ui.title.consent')} · ${t('ui.product')}`
    }
  }, [title, t])
}

function SwitchAccount({ back }: { back: string }) {
  const { t } = useI18n()
  const switchAccount = useSwitchAccount()
  return <Button onClick={() => void switchAccount(back)}>{t('connections.change_account')}</Button>
}
