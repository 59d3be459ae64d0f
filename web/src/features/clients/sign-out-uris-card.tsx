import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { LIMITS } from '@vrata/contract/limits'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { AddressesCard } from './addresses-card.tsx'
import { advancedSettings } from './data.ts'
import { Waiting } from './waiting.tsx'

const FIELD = 'post_logout_redirect_uri'

/** Where people may be led back to after they have signed out (OpenID Connect RP-Initiated Logout §3). */
export function SignOutUrisCard({ app: { client_id: id, type } }: { app: ClientInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const { whole } = useRefusal()
  const mayChange = can(useUser(), clients.updateAdvanced)
  const settings = advancedSettings(wires, id)
  const query = useQuery(settings)
  if (!query.data) return <Waiting title={t('clients.sign_out.title')} query={query} />
  const uris = query.data.post_logout_redirect_uris

  async function keep(post_logout_redirect_uris: string[]) {
    const answer = await wires.api(clients.updateAdvanced, { id, post_logout_redirect_uris })
    if (!answer.ok) return { fields: { [FIELD]: whole(answer) } }
    wires.queries.setQueryData(settings.queryKey, answer.data)
  }

  async function add(uri: string) {
    if (uris.includes(uri)) return { fields: { [FIELD]: t('problems.redirect_uri_taken') } }
    if (uris.length >= LIMITS.uris_per_client) return { fields: { [FIELD]: t('problems.too_many_uris') } }
    return keep([...uris, uri])
  }

  return (
    <AddressesCard
      title={t('clients.sign_out.title')}
      text={t('clients.sign_out.text')}
      empty={t('clients.sign_out.empty')}
      removeTitle={t('clients.sign_out.remove_ask')}
      removeText={t('clients.sign_out.remove_text')}
      addresses={uris}
      field={{
        name: FIELD,
        label: t('clients.sign_out.label'),
        placeholder: type === 'native' ? 'com.example.app:/signed-out' : 'https://example.com/signed-out',
        required: true,
        maxLength: LIMITS.url_max,
      }}
      add={mayChange ? add : undefined}
      remove={mayChange ? (uri) => keep(uris.filter((one) => one !== uri)) : undefined}
    />
  )
}
