import type { Json, Nullable, Time } from './columns.ts'

/** Authorization codes, access tokens and refresh tokens, stored as SHA-256 hashes. */
export interface TokensTable {
  /** `tokenKey`: the time of the token, if it has one, and its SHA-256. */
  token_hash: string
  kind: string
  /** A token is not accepted when no connection has this id (decision 0145). */
  connection_id: Nullable<string>
  session_id: Nullable<string>
  client_id: string
  user_id: Nullable<string>
  /** `{connection}.{session}`: everything that one client was given in one session (protocol §3.2). */
  grant_id: Nullable<string>
  payload: Json
  created_at: Time
  expires_at: Time
  consumed_at: Nullable<Time>
}

/**
 * Models of oidc-provider besides tokens: interactions, pushed requests, device codes, sign-outs that the user has
 * to confirm, and ids of client assertions and DPoP proofs that were used (protocol §4.3).
 */
export interface ProviderModelsTable {
  id_hash: string
  model: string
  /** The only session that may answer it; null before a user has signed in. */
  session_id: Nullable<string>
  /** The user's decision, recorded once; `used` and `refused` when the device has collected it. */
  decision: Nullable<'allowed' | 'denied' | 'used' | 'refused'>
  /** SHA-256 of the user code of a device (RFC 8628). */
  user_code_hash: Nullable<string>
  /** Last token request of a device. */
  asked_at: Nullable<Time>
  payload: Json
  created_at: Time
  expires_at: Time
}

/**
 * Backchannel authentication requests (OpenID Connect CIBA Core §7). A request whose hint names no user who may be asked is
 * stored as well, so that the client cannot tell the difference (decision 0039).
 */
export interface CibaRequestsTable {
  /** Names the request on the pages of its user; no secret. */
  id: string
  auth_req_id_hash: string
  /** SHA-256 of the token of the mailed link. */
  link_hash: Nullable<string>
  client_id: string
  /** The only user who may answer; null for a request that no user sees. */
  user_id: Nullable<string>
  /** SHA-256 of the hint, which counts the open requests of a client to one person. */
  hint_hash: string
  /** The session in which the user has answered. */
  session_id: Nullable<string>
  /** The user's decision, recorded once; `used` and `refused` when the client has collected it. */
  decision: Nullable<'allowed' | 'denied' | 'used' | 'refused'>
  /** Last token request of the client. */
  asked_at: Nullable<Time>
  /** Since when the user sees it. */
  delivered_at: Nullable<Time>
  payload: Json
  created_at: Time
  expires_at: Time
}

/** Private keys are encrypted with the server's secret. */
export interface SigningKeysTable {
  kid: string
  alg: string
  jwk: string
  state: 'next' | 'active' | 'retired'
  created_at: Time
  changed_at: Time
}

export interface IssuerTables {
  tokens: TokensTable
  provider_models: ProviderModelsTable
  ciba_requests: CibaRequestsTable
  signing_keys: SigningKeysTable
}
