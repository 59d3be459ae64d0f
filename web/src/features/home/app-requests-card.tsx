import { useQuery } from '@tanstack/react-query'
import { paths } from '@vrata/contract/page-addresses'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { ClockIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { AttentionCard } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { appRequests } from './queries.ts'

/** Apps that ask the user to sign in and wait for the answer (OpenID Connect CIBA Core). */
export function AppRequestsCard() {
  const { t } = useI18n()
  const { data } = useQuery(appRequests(useAppContext()))
  if (!data?.length) return null
  return (
    <AttentionCard title={t('app-requests.card.title')} text={t('app-requests.card.text')} icon={<ClockIcon />}>
      <Rows label={t('app-requests.card.title')}>
        {data.map(({ uid, client, binding_message }) => (
          <Row
            key={uid}
            picture={<Picture kind="app" url={client.icon} name={client.name} />}
            label={client.name}
            text={binding_message ?? undefined}
            href={paths.consent({ uid, client_id: client.client_id })}
          />
        ))}
      </Rows>
    </AttentionCard>
  )
}
