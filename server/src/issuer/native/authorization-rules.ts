import { type IssuerClient, needsCertificates } from '../../features/clients/public.ts'
import { isUnidentified } from '../provider/clients/client-metadata.ts'
import { withoutHttpsLoopback } from '../provider/compat/compat.ts'
import { parseForm } from './parse-form.ts'
import type { Rules } from './rules.ts'

/** Parameters of the authorization requests that are answered here. A request with any other is passed on. */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
] as const
export type AuthorizationForm = Partial<Record<(typeof PARAMETERS)[number], string>>

/** The parameters of a request; undefined when one is unknown, empty or repeated. */
export function authorizationForm(url: string): AuthorizationForm | undefined {
  return parseForm(url.slice(url.indexOf('?') + 1), PARAMETERS)
}

/** RFC 7636 §4.2. */
const CHALLENGE = /^[\w.~-]{43,128}$/

type Facts = {
  client: IssuerClient
  form: AuthorizationForm
  /** Requested scopes but `offline_access`, which needs `prompt=consent` (OpenID Connect Core §11). */
  scopes: readonly string[]
}

/** Requests of registered clients for a code with PKCE, in the query of an exact redirect URI. */
export const AUTHORIZATION_RULES: Rules<Facts> = {
  'no certificate': ({ client }) => !needsCertificates(client),
  'no pushed requests': ({ client }) => !client.require_pushed_authorization_requests,
  'no request objects': ({ client }) => !client.require_signed_request_object,
  'no signed responses': ({ client }) => client.authorization_signed_response_alg === null,
  'no https loopback address': ({ form }) => withoutHttpsLoopback([form.redirect_uri ?? '']).length === 1,
  'identified client': ({ client, form }) => !isUnidentified(client, form.redirect_uri),
  'code response': ({ form }) => form.response_type === 'code',
  'S256 challenge': ({ form }) => form.code_challenge_method === 'S256' && CHALLENGE.test(form.code_challenge ?? ''),
  'openid requested': ({ scopes }) => scopes.includes('openid'),
  'allowed scopes': ({ client, scopes }) => scopes.every((scope) => client.scopes.includes(scope)),
}
