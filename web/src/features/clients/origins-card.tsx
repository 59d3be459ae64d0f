import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { AddressesCard } from './addresses-card.tsx'
import { origins } from './data.ts'
import { Waiting } from './waiting.tsx'

const HOMES = { origin_taken: 'origin', too_many_uris: 'origin' } as const

/** Whose scripts may ask for tokens from the browser. */
export function OriginsCard({ app: { client_id: id } }: { app: ClientInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const user = useUser()
  const { refusal } = useRefusal()
  const query = origins(wires, id)
  const list = useQuery(query)

  async function add(origin: string) {
    const answer = await wires.api(clients.addOrigin, { id, origin })
    if (!answer.ok) return refusal(answer, HOMES)
    wires.queries.setQueryData(query.queryKey, answer.data)
  }

  async function remove(origin: string) {
    const answer = await wires.api(clients.removeOrigin, { id, origin })
    if (!answer.ok) return refusal(answer)
    wires.queries.setQueryData(query.queryKey, answer.data)
  }

  if (!list.data) return <Waiting title={t('clients.origins.title')} query={list} />
  return (
    <AddressesCard
      title={t('clients.origins.title')}
      text={t('clients.origins.text')}
      empty={t('clients.origins.empty')}
      removeTitle={t('clients.origins.remove_ask')}
      addresses={list.data.origins}
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
