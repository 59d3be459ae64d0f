import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../../lib/i18n.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'

/** After the answer to a request of an app that does not wait in this browser. */
export function RequestAllowedPage() {
  return <Result is="allowed" />
}

export function RequestDeniedPage() {
  return <Result is="denied" />
}

/** After a sign-in whose answer opens an installed app, which leaves the page where it is (`lib/use-continue.ts`). */
export function BackToAppPage() {
  const { t } = useI18n()
  return <PublicCard title={t('app-requests.signed_in.title')} text={t('app-requests.signed_in.text')} />
}

function Result({ is }: { is: 'allowed' | 'denied' }) {
  const { t } = useI18n()
  return (
    <PublicCard title={t(`app-requests.${is}.title`)} text={t(`app-requests.${is}.text`)}>
      <ButtonLink look="primary" wide href={paths.connectedApps}>
        {t('app-requests.apps')}
      </ButtonLink>
    </PublicCard>
  )
}
