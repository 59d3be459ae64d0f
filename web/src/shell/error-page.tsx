import type { ErrorComponentProps } from '@tanstack/react-router'
import { useI18n } from '../lib/i18n.tsx'
import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PublicFrame } from './public-shell.tsx'

/** When a page could not be shown at all. "Try again" loads the document anew: half a page is not trusted. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const { t } = useI18n()
  return (
    <PublicFrame>
      <ErrorState
        heading="h1"
        title={t('ui.error.heading')}
        text={t('ui.error.text')}
        code={requestIdOf(error)}
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

/** Answers of the API carry the id under which the server logged the failure. */
function requestIdOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('request_id' in error)) return undefined
  return typeof error.request_id === 'string' ? error.request_id : undefined
}
