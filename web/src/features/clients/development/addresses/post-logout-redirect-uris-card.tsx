import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { LIMITS } from '@vrata/contract/limits'
import { useErrorText } from '../../../../lib/api/error-text.ts'
import { useAppContext } from '../../../../lib/app-context.tsx'
import { LoadingCard } from '../../../../lib/clients/loading-card.tsx'
import { useI18n } from '../../../../lib/i18n.tsx'
import { can } from '../../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../../lib/session.ts'
import { normalUriError } from '../../normal-uri.ts'
import { advancedSettings } from '../../queries.ts'
import { AddressListCard } from './address-list-card.tsx'

const FIELD = 'post_logout_redirect_uri'

/** Redirect URIs after sign-out (OpenID Connect RP-Initiated Logout §3). */
export function PostLogoutRedirectUrisCard({ app: { client_id: id, type } }: { app: ClientInfo }) {
  const words = useI18n()
  const { t } = words
  const context = useAppContext()
  const errorText = useErrorText()
  const mayChange = can(useUser(), clients.updateAdvanced)
  const settings = advancedSettings(context, id)
  const query = useQuery(settings)
  if (!query.data) return <LoadingCard title={t('clients.sign_out.title')} query={query} />
  const uris = query.data.post_logout_redirect_uris

  async function save(post_logout_redirect_uris: string[], added = '') {
    const answer = await context.api(clients.updateAdvanced, { id, post_logout_redirect_uris })
    if (!answer.ok) {
      const [code] = Object.values(answer.problem.fields ?? {})
      return { fields: { [FIELD]: normalUriError(words, added, code) ?? errorText(answer) } }
    }
    context.queries.setQueryData(settings.queryKey, answer.data)
  }

  /** Another member may have changed the list since the page has rendered it. */
  const latest = () => context.queries.getQueryData(settings.queryKey)?.post_logout_redirect_uris ?? uris

  async function add(uri: string) {
    const uris = latest()
    if (uris.includes(uri)) return { fields: { [FIELD]: t('clients.problem.redirect_uri_taken') } }
    if (uris.length >= LIMITS.uris_per_client) return { fields: { [FIELD]: t('clients.problem.too_many_uris') } }
    return save([...uris, uri], uri)
  }

  return (
    <AddressListCard
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
      remove={mayChange ? (uri) => save(latest().filter((one) => one !== uri)) : undefined}
    />
  )
}
