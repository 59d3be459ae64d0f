import { useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { constraintsOf } from '../../../../lib/api/constraints.ts'
import { useFormErrors } from '../../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../../lib/app-context.tsx'
import { redirectUris } from '../../../../lib/clients/client-queries.ts'
import { LoadingCard } from '../../../../lib/clients/loading-card.tsx'
import { useI18n } from '../../../../lib/i18n.tsx'
import { can } from '../../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../../lib/session.ts'
import { normalUriError } from '../../normal-uri.ts'
import { AddressListCard } from './address-list-card.tsx'

const PROBLEM_FIELDS = { redirect_uri_taken: 'redirect_uri', too_many_uris: 'redirect_uri' } as const

/** Redirect URIs of the app. */
export function RedirectUrisCard({ app: { client_id: id, type } }: { app: ClientInfo }) {
  const words = useI18n()
  const { t } = words
  const context = useAppContext()
  const user = useUser()
  const { formErrors } = useFormErrors()
  const query = redirectUris(context, id)
  const list = useQuery(query)

  async function add(redirect_uri: string) {
    const answer = await context.api(clients.addRedirectUri, { id, redirect_uri })
    if (!answer.ok) {
      const error = normalUriError(words, redirect_uri, answer.problem.fields?.redirect_uri)
      if (error) return { fields: { redirect_uri: error } }
      return formErrors(answer, PROBLEM_FIELDS)
    }
    context.queries.setQueryData(query.queryKey, answer.data)
  }

  async function remove(redirect_uri: string) {
    const answer = await context.api(clients.removeRedirectUri, { id, redirect_uri })
    if (!answer.ok) return formErrors(answer)
    context.queries.setQueryData(query.queryKey, answer.data)
  }

  if (!list.data) return <LoadingCard title={t('clients.uris.title')} query={list} />
  return (
    <AddressListCard
      title={t('clients.uris.title')}
      text={t('clients.uris.text')}
      empty={t('clients.uris.empty')}
      removeTitle={t('clients.uris.remove_ask')}
      addresses={list.data}
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
