import { randomInt } from 'node:crypto'
import { clients, type InputOf, LIFETIMES, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { toFlag, toJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import {
  APPROVED,
  type ApprovalColumns,
  findDeveloperForUpdate,
  initialApproval,
  isApproved,
  ownLimits,
  recordDeveloperActivity,
  requireActiveDeveloper,
} from '../developers/public.ts'
import { insertRedirectUri } from './addresses/address-store.ts'
import { validateRedirectUriScheme } from './addresses/redirect-uris.ts'
import { toClientInfo } from './info.ts'
import { announceClientChange } from './own-client.ts'
import { newClientSecret } from './secret.ts'
import { type ClientRow, countClients, insertClient } from './store.ts'

/** Initial settings by client type (api §6). Public clients have no secret (RFC 8252 §8.5). */
const PRESETS = {
  web: { require_client_secret: 1, token_endpoint_auth_method: 'client_secret_basic' },
  spa: { require_client_secret: 0, token_endpoint_auth_method: 'none' },
  native: { require_client_secret: 0, token_endpoint_auth_method: 'none' },
  service: { require_client_secret: 1, token_endpoint_auth_method: 'client_secret_basic' },
} as const satisfies Record<clients.ClientType, object>

const NO_SECRET = { client_secret: null, columns: { secret_hash: null, secret_hint: null, secret_created_at: null } }

/** How a client authenticates, in columns. */
type Authentication = Pick<
  ClientRow,
  'require_client_secret' | 'token_endpoint_auth_method' | 'secret_hash' | 'secret_hint' | 'secret_created_at'
>

/** The row of a client with the settings that every new client has. */
export function newClientRow(
  { client_id, developer_id, name, type }: Pick<ClientRow, 'client_id' | 'developer_id' | 'name' | 'type'>,
  authentication: Authentication,
  now: Date,
): ClientRow {
  return {
    client_id,
    developer_id,
    name,
    sort_name: folded(name),
    icon: null,
    description: null,
    home_page_url: null,
    privacy_policy_url: null,
    terms_of_service_url: null,
    type,
    enabled: 1,
    disabled_by: null,
    verified: 0,
    trusted: 0,
    ...APPROVED,
    scopes: toJson(clients.DEFAULT_CLIENT_SCOPES),
    scope_prefix: null,
    secret_last_used_at: null,
    previous_secret_hash: null,
    previous_secret_until: null,
    ...authentication,
    require_pkce: 1,
    allow_popup: 0,
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: clients.SIGNING_ALGORITHMS[0],
    id_token_claims: clients.ID_TOKEN_CLAIMS[0],
    access_token_format: clients.TOKEN_FORMATS[0],
    security_profile: 'standard',
    token_endpoint_auth_signing_alg: null,
    request_object_signing_alg: null,
    require_signed_request_object: 0,
    authorization_signed_response_alg: null,
    userinfo_signed_response_alg: null,
    introspection_signed_response_alg: null,
    tls_client_auth_subject_dn: null,
    tls_client_auth_san_dns: null,
    tls_client_auth_san_uri: null,
    tls_client_auth_san_ip: null,
    tls_client_auth_san_email: null,
    dpop_bound_access_tokens: 0,
    tls_client_certificate_bound_access_tokens: 0,
    require_pushed_authorization_requests: 0,
    require_nonce: 0,
    backchannel_logout_uri: null,
    frontchannel_logout_uri: null,
    frontchannel_logout_session_required: 1,
    initiate_login_uri: null,
    sector_identifier: null,
    sector_identifier_uri: null,
    backchannel_token_delivery_mode: null,
    backchannel_client_notification_endpoint: null,
    backchannel_authentication_request_signing_alg: null,
    post_logout_redirect_uris: toJson([]),
    access_token_ttl: LIFETIMES.access_token,
    refresh_token_ttl: LIFETIMES.refresh_idle,
    first_sign_in_at: null,
    tokens_ended_at: null,
    token_generation: 0,
    access_change: null,
    deleted_at: null,
    created_at: toTime(now),
    updated_at: toTime(now),
  }
}

/** Creates a client. The response is the only place where the secret appears. */
export async function createClient(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.createClient>,
) {
  return await createAs(deps, actor, input, await initialApproval(deps, 'app_creation', actor.user_id))
}

/** `createClient` for a program that acts for a member: its app waits also where those of the member would not. */
export async function createRegisteredClient(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.createClient>,
) {
  return await createAs(deps, actor, input, await initialApproval(deps, 'app_creation', null))
}

async function createAs(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.createClient>,
  approval: ApprovalColumns,
) {
  const { row, client_secret } = await insertNewClient(deps, actor.developer_id, { ...input, ...approval })
  await recordDeveloperActivity(deps, actor, 'CREATED_APP', { client_id: row.client_id, name: row.name })
  return { ...toClientInfo(row, deps.clock.now()), client_secret }
}

type NewClient = InputOf<typeof clients.createClient> & ApprovalColumns

/**
 * Creates a client for a member or a command, which records it. Throws `no_developer`, `organization_not_approved`,
 * `disabled_by_operator` and `limit_reached`.
 */
export async function insertNewClient(
  deps: TransactionDeps,
  developer_id: string,
  input: NewClient,
): Promise<{ row: ClientRow; client_secret: string | null }> {
  const developer = await findDeveloperForUpdate(deps.db, developer_id)
  if (!developer) throw problem('no_developer')
  requireActiveDeveloper(developer)
  const limit = ownLimits(developer).clients ?? (await deps.policy.find(deps.db)).limits.clients_per_organization
  if ((await countClients(deps.db, developer_id)) >= limit) {
    throw problem('limit_reached', { params: { limit, of: 'clients' } })
  }
  if (input.redirect_uri) validateRedirectUriScheme(input.type, input.redirect_uri, 'redirect_uri')
  const now = deps.clock.now()
  const preset = PRESETS[input.type]
  const { client_secret, columns } = preset.require_client_secret ? newClientSecret(now) : NO_SECRET
  const row: ClientRow = {
    ...newClientRow(
      { client_id: newClientId(), developer_id, name: input.name, type: input.type },
      { ...preset, ...columns },
      now,
    ),
    description: input.description ?? null,
    home_page_url: input.home_page_url ?? null,
    enabled: toFlag(isApproved(input)),
    approval: input.approval,
    approval_reason: input.approval_reason,
    approval_asked_at: input.approval_asked_at,
  }
  await insertClient(deps.db, row)
  if (input.redirect_uri) await insertRedirectUri(deps.db, row, input.redirect_uri, toTime(now))
  await announceClientChange(deps, row.client_id)
  if (row.approval) await deps.emit('approval_changed', { developer_id, client_id: row.client_id })
  return { row, client_secret }
}

/** Without letters and digits that look alike, because client ids are typed by hand. */
const CLIENT_ID_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `vrt_` and 79 random bits. The prefix distinguishes client ids from user ids, the `sub` of users (RFC 9700 §4.15). */
function newClientId(): string {
  return `vrt_${Array.from({ length: 16 }, () => CLIENT_ID_ALPHABET[randomInt(CLIENT_ID_ALPHABET.length)]).join('')}`
}
