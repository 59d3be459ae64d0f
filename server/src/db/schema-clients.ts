import type { Flag, Json, Nullable, Time } from './columns.ts'

/** clients */
export interface ClientsTable {
  client_id: string
  developer_id: string
  name: string
  /** The name, folded (`db/search-text.ts`). */
  sort_name: string
  icon: Nullable<string>
  description: Nullable<string>
  home_page_url: Nullable<string>
  privacy_policy_url: Nullable<string>
  type: string
  enabled: Flag
  /** JSON list of scope keys that the app may ask for. */
  scopes: Json
  /** First word of the scopes that it defines; chosen once. */
  scope_prefix: Nullable<string>
  secret_hash: Nullable<string>
  secret_hint: Nullable<string>
  secret_created_at: Nullable<Time>
  /** Of the current secret, not of the one before it. */
  secret_last_used_at: Nullable<Time>
  previous_secret_hash: Nullable<string>
  previous_secret_until: Nullable<Time>
  require_client_secret: Flag
  require_pkce: Flag
  allow_popup: Flag
  token_endpoint_auth_method: string
  /** JSON Web Key Set, public keys only. */
  jwks: Nullable<Json>
  jwks_uri: Nullable<string>
  id_token_signed_response_alg: string
  access_token_format: string
  dpop_bound_access_tokens: Flag
  require_pushed_authorization_requests: Flag
  require_nonce: Flag
  backchannel_logout_uri: Nullable<string>
  post_logout_redirect_uris: Json
  access_token_ttl: number
  refresh_token_ttl: number
  /** When it first got tokens for somebody. */
  first_sign_in_at: Nullable<Time>
  created_at: Time
  updated_at: Time
}

/** clients */
export interface RedirectUrisTable {
  client_id: string
  redirect_uri: string
  created_at: Time
}

/** clients */
export interface OriginsTable {
  client_id: string
  origin: string
  created_at: Time
}

/** scopes. Those that apps define; the product's own stand in code. */
export interface ScopesTable {
  key: string
  client_id: string
  sensitive: Flag
  required: Flag
  /** Key and all texts, folded (`search-text.ts`). */
  search: string
  created_at: Time
}

/** scopes */
export interface ScopeTextsTable {
  key: string
  locale: string
  title: string
  description: string
}

/**
 * What happened on one day (UTC). Spread over a few rows, the slots, so that sign-ins at the same moment do not wait for
 * each other; their sum is the figure.
 */
interface DayFigures {
  day: string
  slot: number
  sign_ins: number
  active_users: number
}

/** clients */
export interface ClientDaysTable extends DayFigures {
  client_id: string
}

/** clients. Of all apps of an organisation, also of those deleted since; somebody active in two of them counts once. */
export interface DeveloperDaysTable extends DayFigures {
  developer_id: string
}

/** clients. Why the engine refused requests of an app lately; a few at most, the same ones counted. */
export interface RefusalsTable {
  client_id: string
  reason: string
  /** What it was about, such as the redirect URI; empty where the reason says all. */
  detail: string
  times: number
  first_at: Time
  last_at: Time
}

/** clients. Which of the scopes that apps define an app asks for: what its `scopes` say, the other way round. */
export interface ClientScopesTable {
  key: string
  client_id: string
}

/**
 * clients. What lets a program act for a member: register apps (`client_id` is null), or change the one app that it has
 * registered (RFC 7591, RFC 7592).
 */
export interface RegistrationTokensTable {
  token_hash: string
  developer_id: string
  user_id: string
  client_id: Nullable<string>
  /** Apps that may still be registered with it. */
  uses_left: number
  /** Of the apps that are registered with it. */
  require_pkce: Flag
  created_at: Time
  /** Null: as long as its app. */
  expires_at: Nullable<Time>
}

export interface ClientTables {
  clients: ClientsTable
  redirect_uris: RedirectUrisTable
  origins: OriginsTable
  scopes: ScopesTable
  scope_texts: ScopeTextsTable
  client_days: ClientDaysTable
  developer_days: DeveloperDaysTable
  refusals: RefusalsTable
  client_scopes: ClientScopesTable
  registration_tokens: RegistrationTokensTable
}
