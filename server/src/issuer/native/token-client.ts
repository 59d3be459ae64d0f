import type { IncomingHttpHeaders } from 'node:http'
import { type IssuerClient, isKeyMethod, needsCertificates, verifyClientSecret } from '../../features/clients/public.ts'
import { MetadataDocuments } from '../metadata-documents/metadata-documents.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { hold, type Rules } from './rules.ts'
import type { TokenForm } from './token-form.ts'

/** The client of a token request, and which of its secrets it has sent. */
export interface TokenClient {
  client: IssuerClient
  secret: 'current' | 'previous' | 'none'
}

/** Clients with bearer tokens that authenticate by a secret or not at all. */
export const CLIENT_RULES: Rules<{ client: IssuerClient; headers: IncomingHttpHeaders }> = {
  enabled: ({ client }) => client.enabled,
  'no key': ({ client }) => !isKeyMethod(client.token_endpoint_auth_method),
  'no certificate': ({ client }) => !needsCertificates(client),
  'no DPoP': ({ client }) => !client.dpop_bound_access_tokens,
  'registered origin': ({ client, headers }) => !headers.origin || client.origins.includes(headers.origin),
}

/** Headers of authentication and proofs that oidc-provider handles. */
export const HEADER_RULES: Rules<IncomingHttpHeaders> = {
  'no DPoP proof': (headers) => headers.dpop === undefined,
  'no attestation': (headers) =>
    headers['oauth-client-attestation'] === undefined && headers['oauth-client-attestation-pop'] === undefined,
}

/** Undefined when oidc-provider has to answer: also when authentication fails. */
export async function tokenClient(
  { reads, now }: ProviderRequest,
  headers: IncomingHttpHeaders,
  form: TokenForm,
): Promise<TokenClient | undefined> {
  if (!hold(HEADER_RULES, headers)) return undefined
  const { authorization } = headers
  const presented = authorization === undefined ? form : basicCredentials(authorization)
  if (!presented?.client_id || (authorization !== undefined && form.client_secret !== undefined)) return undefined
  const { client_id, client_secret } = presented
  if (form.client_id !== undefined && form.client_id !== client_id) return undefined
  // Its document may have to be read again (decision 0031).
  if (MetadataDocuments.isAddress(client_id)) return undefined
  const client = await reads.client(client_id)
  if (!client || !hold(CLIENT_RULES, { client, headers })) return undefined
  if (client_secret === undefined) return client.require_client_secret ? undefined : { client, secret: 'none' }
  const secret = verifyClientSecret(client, client_secret, now)
  return secret && { client, secret }
}

/** Ids and secrets that we issue need no encoding (RFC 6749 appendix B); others are passed on. */
const PLAIN = /^([\w.~-]+):([\w.~-]+)$/

function basicCredentials(authorization: string): { client_id: string; client_secret: string } | undefined {
  const encoded = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  if (!encoded || encoded.length % 4 !== 0) return undefined
  const [, client_id, client_secret] = PLAIN.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? []
  return client_id && client_secret ? { client_id, client_secret } : undefined
}
