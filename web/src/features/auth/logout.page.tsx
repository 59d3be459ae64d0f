import { useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { safeRedirect } from '@vrata/contract/redirect'
import { useEffect, useRef, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { signOut } from '../../lib/session.ts'
import { serverTime } from '../../lib/time.ts'
import { notify, useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import type { Query } from './go-on.ts'

/**
 * Signs out without asking, then goes to sign-in, with the way back where one was given. Who has just deleted the account
 * reads here what happens next. Without script, a button does it.
 */
export function LogoutPage() {
  const { t, format } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const due_at = useLocation({ select: ({ state }) => state.deletion_due_at })
  const { redirect } = useSearch({ strict: false }) as Query
  const [failed, setFailed] = useState(false)
  const [left, setLeft] = useState(false)
  const begun = useRef(false)

  async function leave() {
    setFailed(false)
    if (!(await signOut(wires))) return setFailed(true)
    if (due_at) return setLeft(true)
    // With a way back it was the session that ended, not the person who left.
    notify(wires.notices, t(redirect ? 'problems.unauthenticated' : 'auth.logout.done'))
    await router.navigate({ href: paths.loginUnasked(safeRedirect(redirect)), replace: true })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per visit, whatever else changes
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void leave()
  }, [])

  if (failed) {
    return <ErrorState heading="h1" title={t('auth.logout.failed')} text={t('ui.no_answer')} onRetry={leave} />
  }
  if (left && due_at) {
    return (
      <PublicCard
        title={t('auth.deleted.title')}
        text={t('auth.deleted.text', { date: format.date(serverTime(due_at)) })}
        foot={<ButtonLink href={paths.loginUnasked()}>{t('auth.deleted.keep')}</ButtonLink>}
      >
        <p className="text-muted">{t('auth.deleted.mail')}</p>
      </PublicCard>
    )
  }
  return (
    <PublicCard title={t('auth.logout.title')} centred>
      <div className="light-strip -mt-3 h-0.75" aria-hidden="true" />
      <noscript>
        <form method="post" action="/logout">
          <button
            type="submit"
            className="mt-6 min-h-12 w-full rounded-control bg-brand px-5 font-semibold text-on-brand"
          >
            {t('auth.logout.do')}
          </button>
        </form>
      </noscript>
    </PublicCard>
  )
}
