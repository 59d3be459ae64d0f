import { timeAfter, toJson } from '../../db/values.ts'
import { enabledGuard, type IssuerClient, isEnabledForUpdate } from '../../features/clients/public.ts'
import { newJwtId } from '../../lib/ids.ts'
import { grantTypesOf } from '../provider/clients/client-metadata.ts'
import { ClientDisabled } from '../provider/provider-errors.ts'
import type { ProviderSnapshot } from '../provider/provider-snapshot.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { writeAs } from '../request/writes.ts'
import { encryptGrant } from '../tokens/grant-ids.ts'
import { resourceOf } from '../tokens/resources.ts'
import { newTimedToken, tokenKey } from '../tokens/token-keys.ts'
import { hold, type Rules } from './rules.ts'
import type { TokenForm } from './token-form.ts'
import type { Granted } from './token-response.ts'

type Facts = {
  client: IssuerClient
  form: TokenForm
  /** The requested scopes, and the clients that have defined them. */
  scopes: readonly string[]
  owners: readonly (IssuerClient | undefined)[]
}

/** The client credentials grant of a service, for scopes that are all granted (RFC 6749 §4.4, decision 0038). */
export const CLIENT_CREDENTIALS_RULES: Rules<Facts> = {
  'grant type': ({ client }) => grantTypesOf(client).includes('client_credentials'),
  'allowed scopes': ({ client, scopes }) => scopes.every((scope) => client.scopes.includes(scope)),
  'own scopes': ({ client, owners }) => owners.every((owner) => owner?.developer_id === client.developer_id),
  // FAPI 2.0 excludes an algorithm that the API may want.
  'no security profile': ({ client }) => client.security_profile !== 'fapi2',
  'enabled API': ({ owners }) => jwtApiOf(owners)?.enabled !== false,
}

/** Undefined when oidc-provider has to answer. */
export async function clientCredentials(
  request: ProviderRequest,
  { scopes: known, signers }: Pick<ProviderSnapshot, 'scopes' | 'signers'>,
  client: IssuerClient,
  form: TokenForm,
): Promise<Granted | undefined> {
  const { deps, reads, now, nowText } = request
  const scopes = form.scope === undefined ? [] : form.scope.split(' ')
  const owners = await Promise.all(scopes.map((scope) => reads.client(known.get(scope) ?? '')))
  if (!hold(CLIENT_CREDENTIALS_RULES, { client, form, scopes, owners })) return undefined
  const { client_id, access_token_ttl: expires_in } = client
  const scope = [...new Set(scopes)].join(' ')
  const answer = { expires_in, ...(scope ? { scope } : {}), token_type: 'Bearer' } as const
  const api = jwtApiOf(owners)
  if (api) {
    const signer = signers.get(api.id_token_signed_response_alg)
    if (!signer) return undefined
    const iat = Math.floor(Date.now() / 1000)
    const claims = {
      jti: newJwtId(),
      sub: client_id,
      iat,
      exp: iat + expires_in,
      scope,
      client_id,
      iss: deps.config.url,
      aud: resourceOf(deps.config.url, api.client_id),
      grant: grantOf(client, deps),
    }
    return { response: { access_token: await signer.signJwt(claims, 'at+jwt'), ...answer } }
  }
  const access_token = newTimedToken(now)
  request.tokens.create({
    token_hash: tokenKey(access_token),
    kind: 'ClientCredentials',
    connection_id: null,
    session_id: null,
    client_id,
    user_id: null,
    grant_id: null,
    payload: toJson(scope ? { scope } : {}),
    created_at: nowText,
    expires_at: timeAfter(now, expires_in),
    consumed_at: null,
  })
  // As after other grants that consume nothing (provider-events.ts). A JWT leaves no row to be found.
  request.finalWrites.push(
    writeAs(
      async () => ({ guards: [enabledGuard(client_id)] }),
      async ({ db }) => {
        if (!(await isEnabledForUpdate(db, client_id))) throw new ClientDisabled(client_id)
      },
    ),
  )
  return { response: { access_token, ...answer } }
}

/** Encrypted once for each row of a client that is read: it takes as long as a third of a signature, and all tokens of a service say the same. */
const GRANTS = new WeakMap<IssuerClient, string>()

/** The `grant` claim of a token of a service. */
function grantOf(client: IssuerClient, { encryption }: ProviderRequest['deps']): string {
  const known = GRANTS.get(client)
  if (known !== undefined) return known
  const { token_generation: generation } = client
  const grant = encryptGrant(encryption, { user: 0, client: generation, allowed_client: generation, grant: '' })
  GRANTS.set(client, grant)
  return grant
}

/** The default resource: the API that defines all of the scopes, if it wants JWTs (RFC 9068 §3). */
function jwtApiOf(owners: Facts['owners']): IssuerClient | undefined {
  const [first, ...others] = owners
  if (first?.access_token_format !== 'jwt') return undefined
  return others.every((other) => other?.client_id === first.client_id) ? first : undefined
}
