import { useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { sessions } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'
import { useEffect, useRef, useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { notify, useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { setUser } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/feedback/error-card.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'

/**
 * Signs out and continues to the sign-in page. After deletion of the account it explains what follows. Without script a
 * button does it.
 */
export function LogoutPage() {
  const { t, format } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { deletion_due_at: due_at, switching } = useLocation({ select: ({ state }) => state })
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  const { errorMessage } = useFormErrors()
  const [failed, setFailed] = useState<string>()
  const [signedOut, setSignedOut] = useState(false)
  const started = useRef(false)

  async function leave() {
    setFailed(undefined)
    const answer = await context.api(sessions.logout)
    if (!answer.ok) return setFailed(errorMessage(answer))
    context.queries.clear()
    setUser(context, null)
    if (due_at) return setSignedOut(true)
    const next = safeRedirect(redirect)
    const { redirect_to } = answer.data
    if (redirect_to) {
      // The page that signs the browser out of apps, not one of the router. It continues to the sign-in page.
      return location.replace(next ? `${redirect_to}?${new URLSearchParams({ redirect: next })}` : redirect_to)
    }
    // With a redirect the session has ended by itself, unless the user continues with another account.
    notify(context.notices, t(redirect && !switching ? 'problems.unauthenticated' : 'sign-out.done'))
    await router.navigate({ href: paths.loginUnasked(next), replace: true })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per visit
  useEffect(() => {
    if (started.current) return
    started.current = true
    void leave()
  }, [])

  if (failed) {
    return <ErrorCard title={t('sign-out.failed')} text={failed} onRetry={leave} />
  }
  if (signedOut && due_at) {
    return (
      <PublicCard
        title={t('sign-out.deleted.title')}
        text={t('sign-out.deleted.text', { date: format.date(parseServerTime(due_at)) })}
        foot={<ButtonLink href={paths.loginUnasked()}>{t('sign-out.deleted.keep')}</ButtonLink>}
      >
        <p className="text-muted">{t('sign-out.deleted.mail')}</p>
      </PublicCard>
    )
  }
  return (
    <PublicCard
      title={
        <>
          <span className="noscript:hidden">{t('sign-out.title')}</span>
          <span className="hidden noscript:inline">{t('sign-out.ask')}</span>
        </>
      }
      centered
    >
      <div className="progress-strip -mt-3 h-0.75 noscript:hidden" aria-hidden="true" />
      <noscript>
        <form method="post">
          <button type="submit" className="min-h-12 w-full rounded-control bg-brand px-5 font-semibold text-on-brand">
            {t('sign-out.do')}
          </button>
        </form>
      </noscript>
    </PublicCard>
  )
}
