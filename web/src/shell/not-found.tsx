import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../lib/i18n.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { DoorAjar } from '../ui/feedback/error-state.tsx'
import { PublicFrame } from './public-shell.tsx'

/** Page of unknown addresses. */
export function NotFoundPage() {
  const { t } = useI18n()
  return (
    <PublicFrame>
      <div className="flex max-w-120 flex-col items-center text-center">
        <DoorAjar />
        <h1 tabIndex={-1} className="text-display">
          {t('ui.not_found.heading')}
        </h1>
        <p className="mt-2 mb-7 text-lead text-muted">{t('ui.not_found.text')}</p>
        <ButtonLink look="primary" href={paths.home}>
          {t('ui.home')}
        </ButtonLink>
      </div>
    </PublicFrame>
  )
}
