import { randomInt } from 'node:crypto'
import { clients, type InputOf, LIFETIMES, problem } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { toJson, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { holdDeveloper, recordInDeveloper } from '../developers/door.ts'
import { insertRedirectUri } from './address-store.ts'
import { infoOf } from './info.ts'
import { tellChanged } from './own-client.ts'
import { refuseForeignScheme } from './redirect-uris.ts'
import { newSecret } from './secret.ts'
import { type ClientRow, insertClient } from './store.ts'

/** What a kind of app starts with (api.md §6): one whose code anybody can read keeps no secret (RFC 8252 §8.5). */
const PRESETS = {
  web: { require_client_secret: 1, token_endpoint_auth_method: 'client_secret_basic' },
  spa: { require_client_secret: 0, token_endpoint_auth_method: 'none' },
  native: { require_client_secret: 0, token_endpoint_auth_method: 'none' },
  service: { require_client_secret: 1, token_endpoint_auth_method: 'client_secret_basic' },
} as const satisfies Record<clients.ClientType, object>

const NO_SECRET = { client_secret: null, columns: { secret_hash: null, secret_hint: null, secret_created_at: null } }

/** The secret is in this answer and nowhere else. */
export async function createClient(deps: Deps, actor: Member, input: InputOf<typeof clients.createClient>) {
  if (!(await holdDeveloper(deps.db, actor.developer_id))) throw problem('no_developer')
  if (input.redirect_uri) refuseForeignScheme(input.type, input.redirect_uri, 'redirect_uri')
  const now = deps.clock.now()
  const preset = PRESETS[input.type]
  const { client_secret, columns } = preset.require_client_secret ? newSecret(now) : NO_SECRET
  const row: ClientRow = {
    client_id: newClientId(),
    developer_id: actor.developer_id,
    name: input.name,
    sort_name: folded(input.name),
    icon: null,
    description: input.description ?? null,
    home_page_url: input.home_page_url ?? null,
    privacy_policy_url: null,
    type: input.type,
    enabled: 1,
    scopes: toJson(clients.DEFAULT_CLIENT_SCOPES),
    scope_prefix: null,
    ...columns,
    secret_last_used_at: null,
    previous_secret_hash: null,
    previous_secret_until: null,
    ...preset,
    require_pkce: 1,
    allow_popup: 0,
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: clients.SIGNING_ALGORITHMS[0],
    access_token_format: clients.TOKEN_FORMATS[0],
    dpop_bound_access_tokens: 0,
    require_pushed_authorization_requests: 0,
    require_nonce: 0,
    backchannel_logout_uri: null,
    post_logout_redirect_uris: toJson([]),
    access_token_ttl: LIFETIMES.access_token,
    refresh_token_ttl: LIFETIMES.refresh_idle,
    first_sign_in_at: null,
    created_at: toTime(now),
    updated_at: toTime(now),
  }
  await insertClient(deps.db, row)
  if (input.redirect_uri) await insertRedirectUri(deps.db, row, input.redirect_uri, toTime(now))
  await recordInDeveloper(deps, actor, 'CREATED_APP', { client_id: row.client_id, name: row.name })
  await tellChanged(deps, row.client_id)
  return { ...infoOf(row), client_secret }
}

/** No letter or digit that is read as another one: people type these into other people's settings. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'

/** `vrt_` and 79 random bits. Never looks like the id of a person (security.md, "cannot look like a user `sub`"). */
function newClientId(): string {
  return `vrt_${Array.from({ length: 16 }, () => READABLE[randomInt(READABLE.length)]).join('')}`
}
