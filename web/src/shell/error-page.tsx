import type { ErrorComponentProps } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useEffect, useState } from 'react'
import { CallError } from '../lib/api/call-query.ts'
import { useI18n } from '../lib/i18n.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { PublicFrame } from './public-shell.tsx'

/** Shown when a shell or a page of the public shell fails to render. */
export function ErrorPage({ error }: ErrorComponentProps) {
  return (
    <PublicFrame>
      <PageError error={error} />
    </PublicFrame>
  )
}

/**
 * Shown in place of a page that fails to load or to render; menus stay. A failed call shows its request id. Offline the
 * page opens by itself once there is a connection.
 */
export function PageError({ error, heading = 'h1' }: Pick<ErrorComponentProps, 'error'> & { heading?: 'h1' | 'h2' }) {
  const { t } = useI18n()
  const failed = error instanceof CallError ? error : undefined
  const offline = !navigator.onLine
  const [away, setAway] = useState(false)
  const unanswered = away || failed?.http === 0

  useEffect(() => {
    if (!offline) return
    const retry = () => void reload()
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [offline])

  return (
    <ErrorState
      heading={heading}
      title={t(offline ? 'ui.error.offline' : 'ui.error.heading')}
      text={t(offline ? 'ui.error.offline_text' : unanswered ? 'ui.no_answer' : 'ui.error.text')}
      code={failed?.problem.request_id}
      onRetry={async () => setAway(!(await reload()))}
      action={
        <ButtonLink look="ghost" href={paths.home}>
          {t('ui.home')}
        </ButtonLink>
      }
    />
  )
}

/**
 * Reloads the document unless the server cannot be reached: the browser would replace the page by its own message.
 * Returns whether it can be reached.
 */
async function reload(): Promise<boolean> {
  const answered = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (answered) location.reload()
  return answered !== null
}

/** {@link PageError} below the heading of a layout. */
export function TabError({ error }: ErrorComponentProps) {
  return <PageError error={error} heading="h2" />
}
