import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { AddressesCard } from './addresses-card.tsx'
import { redirectUris } from './data.ts'
import { Waiting } from './waiting.tsx'

const HOMES = { redirect_uri_taken: 'redirect_uri', too_many_uris: 'redirect_uri' } as const

/** Where people may be led back to. */
export function RedirectUrisCard({ app: { client_id: id, type } }: { app: ClientInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const user = useUser()
  const { refusal } = useRefusal()
  const query = redirectUris(wires, id)
  const list = useQuery(query)

  async function add(redirect_uri: string) {
    const answer = await wires.api(clients.addRedirectUri, { id, redirect_uri })
    if (!answer.ok) return refusal(answer, HOMES)
    wires.queries.setQueryData(query.queryKey, answer.data)
  }

  async function remove(redirect_uri: string) {
    const answer = await wires.api(clients.removeRedirectUri, { id, redirect_uri })
    if (!answer.ok) return refusal(answer)
    wires.queries.setQueryData(query.queryKey, answer.data)
  }

  if (!list.data) return <Waiting title={t('clients.uris.title')} query={list} />
  return (
    <AddressesCard
      title={t('clients.uris.title')}
      text={t('clients.uris.text')}
      empty={t('clients.uris.empty')}
      removeTitle={t('clients.uris.remove_ask')}
      addresses={list.data.redirect_uris}
      field={{
        name: 'redirect_uri',
        label: t('clients.uris.label'),
        placeholder: type === 'native' ? 'com.example.app:/callback' : 'https://example.com/callback',
        ...constraintsOf(clients.addRedirectUri, 'redirect_uri'),
      }}
      add={can(user, clients.addRedirectUri) ? add : undefined}
      remove={can(user, clients.removeRedirectUri) ? remove : undefined}
    />
  )
}
