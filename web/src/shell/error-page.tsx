import type { ErrorComponentProps } from '@tanstack/react-router'
import { useI18n } from '../lib/i18n.tsx'
import { CallFailed } from '../lib/use-call.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PublicFrame } from './public-shell.tsx'

/**
 * When a page could not be shown at all. "Try again" loads the document anew: half a page is not trusted. A failed call
 * carries the id under which the server logged it.
 */
export function ErrorPage({ error }: ErrorComponentProps) {
  const { t } = useI18n()
  const failed = error instanceof CallFailed ? error : undefined
  return (
    <PublicFrame>
      <ErrorState
        heading="h1"
        title={t('ui.error.heading')}
        text={failed && failed.http === 0 ? t('ui.no_answer') : t('ui.error.text')}
        code={failed?.problem.request_id}
        onRetry={() => location.reload()}
        action={
          <ButtonLink look="ghost" href={paths.home}>
            {t('ui.home')}
          </ButtonLink>
        }
      />
    </PublicFrame>
  )
}
