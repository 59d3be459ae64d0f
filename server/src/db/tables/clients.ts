import type { Flag, Json, Nullable, Time } from './columns.ts'

export interface ClientsTable {
  client_id: string
  developer_id: string
  name: string
  /** `name`, folded for sorting and searching (`db/search-text.ts`). */
  sort_name: string
  icon: Nullable<string>
  description: Nullable<string>
  home_page_url: Nullable<string>
  privacy_policy_url: Nullable<string>
  terms_of_service_url: Nullable<string>
  type: string
  enabled: Flag
  /** Set when an operator has disabled the client or its organization; its developers cannot enable it then. */
  disabled_by: Nullable<'operator' | 'organization'>
  /** Operators have checked it. */
  verified: Flag
  /** An app of the installation itself: consent is not asked. */
  trusted: Flag
  /** Null: an operator has approved it, or it needed no approval. Others are never enabled. */
  approval: Nullable<'pending' | 'rejected'>
  /** Reason of the rejection, by an operator. */
  approval_reason: Nullable<string>
  /** When approval was requested last; null once it is approved. */
  approval_asked_at: Nullable<Time>
  /** JSON list of scope keys that the client may request. */
  scopes: Json
  /** Prefix of the scopes that the client defines; cannot be changed. */
  scope_prefix: Nullable<string>
  secret_hash: Nullable<string>
  secret_hint: Nullable<string>
  secret_created_at: Nullable<Time>
  /** Last use of the current secret, not of the previous one. */
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
  id_token_claims: string
  access_token_format: string
  security_profile: string
  token_endpoint_auth_signing_alg: Nullable<string>
  request_object_signing_alg: Nullable<string>
  require_signed_request_object: Flag
  authorization_signed_response_alg: Nullable<string>
  userinfo_signed_response_alg: Nullable<string>
  introspection_signed_response_alg: Nullable<string>
  tls_client_auth_subject_dn: Nullable<string>
  tls_client_auth_san_dns: Nullable<string>
  tls_client_auth_san_uri: Nullable<string>
  tls_client_auth_san_ip: Nullable<string>
  tls_client_auth_san_email: Nullable<string>
  dpop_bound_access_tokens: Flag
  tls_client_certificate_bound_access_tokens: Flag
  require_pushed_authorization_requests: Flag
  require_nonce: Flag
  backchannel_logout_uri: Nullable<string>
  frontchannel_logout_uri: Nullable<string>
  frontchannel_logout_session_required: Flag
  initiate_login_uri: Nullable<string>
  /** Host on which the pairwise `sub` of users depends; null for public subjects. */
  sector_identifier: Nullable<string>
  sector_identifier_uri: Nullable<string>
  /** `poll` or `ping`; null while the client may not send backchannel authentication requests. */
  backchannel_token_delivery_mode: Nullable<string>
  backchannel_client_notification_endpoint: Nullable<string>
  backchannel_authentication_request_signing_alg: Nullable<string>
  post_logout_redirect_uris: Json
  access_token_ttl: number
  refresh_token_ttl: number
  /** When tokens were first issued for a user. */
  first_sign_in_at: Nullable<Time>
  /** Tokens that are not newer have ended and are being deleted; null when there are none. */
  tokens_ended_at: Nullable<Time>
  /** How often all tokens have ended; JWT access tokens, which have no row, contain it. */
  token_generation: number
  /**
   * Id of the last change of the rule, while the connections are compared with it in small steps (decision 0092). Until then the rule counts,
   * and not what connections carry.
   */
  access_change: Nullable<string>
  /** Since when it is deleted for all readers, while its connections are deleted, and then the row. */
  deleted_at: Nullable<Time>
  created_at: Time
  updated_at: Time
}

export interface RedirectUrisTable {
  client_id: string
  redirect_uri: string
  created_at: Time
}

export interface OriginsTable {
  client_id: string
  origin: string
  created_at: Time
}

/** Scopes that clients define. The scopes of the product are listed in code. */
export interface ScopesTable {
  key: string
  client_id: string
  sensitive: Flag
  required: Flag
  /** Key and all texts, folded for searching (`db/search-text.ts`). */
  search: string
  created_at: Time
  /** Since when it is deleted, while it is taken from connections in small steps (decision 0092). */
  deleted_at: Nullable<Time>
}

/** Titles and descriptions of client-defined scopes, per language. */
export interface ScopeTextsTable {
  key: string
  locale: string
  title: string
  description: string
}

/** When the metadata document of an unregistered client was fetched, and until when it may be used without asking again. */
export interface ClientMetadataDocumentsTable {
  client_id: string
  fetched_at: Time
  fresh_until: Time
}

/** APIs of clients under names of their own, `resource` of a request (RFC 8707). */
export interface ResourcesTable {
  id: string
  client_id: string
  identifier: string
  name: string
  created_at: Time
}

/** Scopes of the client that a token for the resource may contain. */
export interface ResourceScopesTable {
  resource_id: string
  key: string
}

/**
 * Counters of one day (UTC), distributed over several rows (`slot`), so that concurrent sign-ins lock different rows. The
 * value of a day is the sum of its rows.
 */
interface DayFigures {
  day: string
  slot: number
  sign_ins: number
  active_users: number
}

export interface ClientDaysTable extends DayFigures {
  client_id: string
}

/** Counters of all clients of a developer, including deleted ones. A user who is active in two of them counts once. */
export interface DeveloperDaysTable extends DayFigures {
  developer_id: string
}

/** Recent errors of authorization and token requests of a client; equal errors are counted in one row. */
export interface RefusalsTable {
  client_id: string
  reason: string
  /** The rejected value, such as the redirect URI; empty when the reason needs none. */
  detail: string
  times: number
  first_at: Time
  last_at: Time
}

/** Access rules: clients that only some people may use. */
export interface ClientAccessTable {
  client_id: string
  mode: string
}

/** Groups whose members may use the client. */
export interface ClientAccessGroupsTable {
  client_id: string
  group_key: string
}

/** Confirmed addresses whose accounts may use the client. */
export interface ClientAccessPeopleTable {
  client_id: string
  email: string
}

/** The client-defined scopes in `clients.scopes`, indexed by key. */
export interface ClientScopesTable {
  key: string
  client_id: string
}

/**
 * Initial access tokens (RFC 7591 §3; `client_id` is null) and registration access tokens of one client (RFC 7592), which
 * act for a member.
 */
export interface RegistrationTokensTable {
  token_hash: string
  developer_id: string
  user_id: string
  client_id: Nullable<string>
  /** Clients that can still be registered with this token. */
  uses_left: number
  /** Setting of the clients that are registered with this token. */
  require_pkce: Flag
  created_at: Time
  /** Null: valid as long as its client exists. */
  expires_at: Nullable<Time>
}

/** Sign-ins to the installation and rejected ones by UTC day. */
export interface SignInDaysTable {
  day: string
  sign_ins: number
  failures: number
}

export interface ClientTables {
  clients: ClientsTable
  redirect_uris: RedirectUrisTable
  origins: OriginsTable
  scopes: ScopesTable
  scope_texts: ScopeTextsTable
  client_metadata_documents: ClientMetadataDocumentsTable
  resources: ResourcesTable
  resource_scopes: ResourceScopesTable
  sign_in_days: SignInDaysTable
  client_days: ClientDaysTable
  developer_days: DeveloperDaysTable
  refusals: RefusalsTable
  client_scopes: ClientScopesTable
  client_access: ClientAccessTable
  client_access_groups: ClientAccessGroupsTable
  client_access_people: ClientAccessPeopleTable
  registration_tokens: RegistrationTokensTable
}
