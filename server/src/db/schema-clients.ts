import type { Flag, Json, Nullable, Time } from './columns.ts'

/** clients */
export interface ClientsTable {
  client_id: string
  developer_id: string
  name: string
  icon: Nullable<string>
  description: Nullable<string>
  home_page_url: Nullable<string>
  privacy_policy_url: Nullable<string>
  type: string
  enabled: Flag
  /** JSON list of scope keys that the app may ask for. */
  scopes: Json
  secret_hash: Nullable<string>
  secret_hint: Nullable<string>
  secret_created_at: Nullable<Time>
  previous_secret_hash: Nullable<string>
  previous_secret_until: Nullable<Time>
  require_client_secret: Flag
  require_pkce: Flag
  allow_popup: Flag
  token_endpoint_auth_method: string
  post_logout_redirect_uris: Json
  access_token_ttl: number
  refresh_token_ttl: number
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
  created_at: Time
}

/** scopes */
export interface ScopeTextsTable {
  key: string
  locale: string
  title: string
  description: string
}

export interface ClientTables {
  clients: ClientsTable
  redirect_uris: RedirectUrisTable
  origins: OriginsTable
  scopes: ScopesTable
  scope_texts: ScopeTextsTable
}
