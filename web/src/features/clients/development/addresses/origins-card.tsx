import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { constraintsOf } from '../../../../lib/api/constraints.ts'
import { useFormErrors } from '../../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../../lib/app-context.tsx'
import { origins } from '../../../../lib/clients/client-queries.ts'
import { LoadingCard } from '../../../../lib/clients/loading-card.tsx'
import { useI18n } from '../../../../lib/i18n.tsx'
import { can } from '../../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../../lib/session.ts'
import { AddressListCard } from './address-list-card.tsx'

const PROBLEM_FIELDS = { origin_taken: 'origin', too_many_uris: 'origin' } as const

/** Origins that may request tokens from a browser. */
export function OriginsCard({ app: { client_id: id } }: { app: ClientInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const { formErrors } = useFormErrors()
  const query = origins(context, id)
  const list = useQuery(query)

  async function add(origin: string) {
    const answer = await context.api(clients.addOrigin, { id, origin })
    if (!answer.ok) return formErrors(answer, PROBLEM_FIELDS)
    context.queries.setQueryData(query.queryKey, answer.data)
  }

  async function remove(origin: string) {
    const answer = await context.api(clients.removeOrigin, { id, origin })
    if (!answer.ok) return formErrors(answer)
    context.queries.setQueryData(query.queryKey, answer.data)
  }

  if (!list.data) return <LoadingCard title={t('clients.origins.title')} query={list} />
  return (
    <AddressListCard
      title={t('clients.origins.title')}
      text={t('clients.origins.text')}
      empty={t('clients.origins.empty')}
      removeTitle={t('clients.origins.remove_ask')}
      addresses={list.data}
      field={{
        name: 'origin',
        label: t('clients.origins.label'),
        placeholder: 'https://example.com',
        ...constraintsOf(clients.addOrigin, 'origin'),
      }}
      add={can(user, clients.addOrigin) ? add : undefined}
      remove={can(user, clients.removeOrigin) ? remove : undefined}
    />
  )
}
