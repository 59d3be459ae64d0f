import { clients } from '@vrata/contract'
import { errors, type Provider, type TokenEndpointGrantContext } from 'oidc-provider'
import { findUser } from '../../../features/account/public.ts'
import { recordServiceAccess } from '../../../features/activity/public.ts'
import { hasAccess } from '../../../features/client-access/public.ts'
import { isEnabledForUpdate } from '../../../features/clients/public.ts'
import { isUserBlockedForShare } from '../../../features/connections/public.ts'
import { ownMetadata } from '../../provider/clients/client-metadata.ts'
import { resourceServersOf, senderConstraintOf } from '../../provider/compat/compat-grants.ts'
import { InvalidSubjectToken, SessionEndedError } from '../../provider/provider-errors.ts'
import { withRequest } from '../../request/current-request.ts'
import type { ProviderRequest } from '../../request/provider-request.ts'
import { parseGrantId } from '../grant-ids.ts'
import { findGrantGeneration, selectGrantForUpdate } from '../grant-store.ts'
import { isJwt } from '../jwt-access-tokens.ts'
import { isTokenStored } from '../store.ts'
import { actOf } from './act.ts'
import { findSubjectToken, mayExchange, type SubjectToken } from './subject-tokens.ts'

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const JWT = 'urn:ietf:params:oauth:token-type:jwt'

/** Parameters of RFC 8693 §2.1 besides `resource`, which may be repeated. */
const PARAMETERS = [
  'subject_token',
  'subject_token_type',
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'audience',
  'scope',
] as const
type Params = Partial<Record<(typeof PARAMETERS)[number], string>>

/** Adds the token exchange grant (RFC 8693) to oidc-provider. */
export function registerTokenExchange(provider: Provider): void {
  const parameters = [...PARAMETERS, 'resource']
  provider.registerGrantType(clients.TOKEN_EXCHANGE_GRANT, withRequest(exchangeToken), parameters, 'resource')
}

/**
 * Gives a service an access token with which it acts for the user of an access token that it has received. The new token
 * belongs to the grant of that one, so that whatever ends the grant ends both (decision 0094).
 */
async function exchangeToken(request: ProviderRequest, ctx: TokenEndpointGrantContext<Params>): Promise<void> {
  const { client, provider, params } = ctx.oidc
  const value = assertParameters(params)
  const constrain = await senderConstraintOf(ctx)
  const subject = await findSubjectToken(request, value)
  if (!subject || !(await mayExchange(request, subject, client.clientId))) throw new InvalidSubjectToken()
  // A lifetime has whole seconds. One for the last part of a second would outlast the token, again with each exchange.
  const lifetime = secondsLeft(request, subject)
  if (lifetime < 1) throw new InvalidSubjectToken()
  // The new token would name the user by the public `sub`, which tokens of this app do not (OpenID Connect Core §8.1).
  if ((await request.reads.client(subject.allowed_client_id))?.subject_type === 'pairwise') {
    throw new errors.InvalidRequest('subject_token was issued to an app with pairwise subjects')
  }
  // A token that is of no use without its key never becomes one that is.
  if (subject.isBound && !constrain) throw new errors.InvalidRequest('DPoP proof JWT not provided for a bound token')
  const act = actOf(client.clientId, subject.act)
  if (!act) throw new errors.InvalidRequest('subject_token was exchanged too many times')
  const scopes = scopesFor(subject, client.scope, params.scope)
  const token = new provider.AccessToken({
    client,
    accountId: subject.user_id,
    grantId: subject.grant_id,
    sessionUid: subject.session_id,
    expiresWithSession: subject.expiresWithSession,
    gty: 'token_exchange',
    scope: scopes.join(' '),
    expiresIn: Math.min(lifetime, ownMetadata(client).access_token_ttl),
  })
  // The default resource follows from the scopes (RFC 8707 §2.2).
  params.scope = scopes.join(' ')
  const [resource, ...others] = await resourceServersOf(ctx)
  if (others.length > 0) throw new errors.InvalidTarget('only a single resource indicator value is supported')
  if (resource) {
    token.resourceServer = resource
    const accepted = new Set(resource.scope?.split(' '))
    token.scope = scopes.filter((scope) => accepted.has(scope)).join(' ')
  }
  await constrain?.(token)
  request.act = act
  const { user_id, allowed_client_id, session_id } = subject
  request.reads.grants.set(subject.grant_id, { user_id, client_id: client.clientId, allowed_client_id, session_id })
  const access_token = await token.save()
  recordExchange(request, subject, client.clientId)
  ctx.body = {
    access_token,
    issued_token_type: ACCESS_TOKEN,
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope: token.scope,
  }
}

/** Returns the subject token. Throws `invalid_request` with the name of the parameter. */
function assertParameters(params: Params): string {
  const { subject_token, subject_token_type, requested_token_type } = params
  for (const name of ['subject_token', 'subject_token_type'] as const) {
    if (!params[name]) throw new errors.InvalidRequest(`missing required parameter '${name}'`)
  }
  for (const name of ['actor_token', 'actor_token_type'] as const) {
    if (params[name]) throw new errors.InvalidRequest(`${name} is not supported: the client is the actor`)
  }
  if (params.audience) throw new errors.InvalidTarget('audience is not supported: name the API in resource')
  if (requested_token_type && requested_token_type !== ACCESS_TOKEN) {
    throw new errors.InvalidRequest('requested_token_type must be that of an access token')
  }
  const accepted = isJwt(subject_token ?? '') ? [ACCESS_TOKEN, JWT] : [ACCESS_TOKEN]
  if (!accepted.includes(subject_token_type ?? '')) {
    throw new errors.InvalidRequest('subject_token_type must be that of an access token')
  }
  return subject_token ?? ''
}

/**
 * Scopes that the subject token has and the service may request: those requested, or all of them. Throws `invalid_scope`.
 * Without `offline_access`, because there is no refresh token.
 */
function scopesFor(subject: SubjectToken, ofService = '', requested: string | undefined): string[] {
  const registered = new Set(ofService.split(' '))
  const available = subject.scopes.filter((scope) => scope !== 'offline_access' && registered.has(scope))
  const scopes = [...new Set(requested?.split(' ').filter(Boolean) ?? available)]
  const refused = scopes.find((scope) => !available.includes(scope))
  if (refused !== undefined) {
    throw new errors.InvalidScope('the subject token or the service does not have a requested scope', refused)
  }
  if (scopes.length === 0)
    throw new errors.InvalidScope('the subject token and the service have no scope in common', '')
  return scopes
}

function secondsLeft({ now }: ProviderRequest, { expires_at }: SubjectToken): number {
  return Math.floor((expires_at - now.getTime()) / 1000)
}

/**
 * Locks the grant, also for a JWT, which is not stored: no other transaction ends it meanwhile, and parallel requests record one activity.
 */
function recordExchange(request: ProviderRequest, subject: SubjectToken, service: string): void {
  const { user_id, allowed_client_id: client_id, grant_id, token_hash, generations } = subject
  request.lockingWrites.push(async (deps) => {
    const developer_id = (await request.reads.client(service))?.developer_id
    // Before the connection (decision 0012). The organization of the service is not that of the grant.
    if (developer_id !== undefined && (await isUserBlockedForShare(deps.db, developer_id, user_id)))
      throw new SessionEndedError()
    if (!(await selectGrantForUpdate(deps.db, parseGrantId(grant_id)))) throw new SessionEndedError()
    // A revocation deletes tokens while it holds the grant: it finds the new one, or is seen here.
    if (token_hash !== undefined && !(await isTokenStored(deps.db, token_hash))) throw new InvalidSubjectToken()
    // An event that ends all tokens of an account or of a grant renews the generation while it locks the connection.
    if (generations !== undefined) {
      const user = await findUser(deps.db, user_id)
      const ofGrant = await findGrantGeneration(deps.db, grant_id, request.nowText)
      if (user?.token_generation !== generations.user || ofGrant !== generations.grant) throw new InvalidSubjectToken()
    }
    if (client_id !== service) await recordServiceAccess(deps, { user_id, client_id, acting_client_id: service })
  })
  request.finalWrites.push(async ({ db }) => {
    const enabled = new Map<string, boolean>()
    // In the order of their ids, as everywhere. A transaction that disables one of them finds the new token, or is seen here.
    for (const id of [...new Set([client_id, service])].sort()) enabled.set(id, await isEnabledForUpdate(db, id))
    if (!enabled.get(client_id)) throw new SessionEndedError()
    // The rule of the service is not that of the grant. A change of it locks the service before. A disabled service is refused as
    // such, when its token is inserted.
    if (client_id !== service && enabled.get(service) && !(await hasAccess(db, service, user_id)))
      throw new SessionEndedError()
  })
}
