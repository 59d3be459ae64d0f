import type { Json, Nullable, Time } from './columns.ts'

/** issuer. Codes, access and refresh tokens, by SHA-256. */
export interface TokensTable {
  token_hash: string
  kind: string
  connection_id: Nullable<string>
  session_id: Nullable<string>
  client_id: string
  user_id: Nullable<string>
  /** Family of rotated refresh tokens and what was made with them. */
  grant_id: Nullable<string>
  payload: Json
  created_at: Time
  expires_at: Time
  consumed_at: Nullable<Time>
}

/**
 * issuer. What waits for a person or a second request: authorization requests, devices, sign-outs to be confirmed,
 * pushed requests; and marks of proofs that must not be shown twice.
 */
export interface OidcTempTable {
  id_hash: string
  model: string
  /** The session that this waits for: nobody else's may answer it. */
  session_id: Nullable<string>
  /** What the person said, once; of a device, also that it has heard it. */
  decision: Nullable<'allowed' | 'denied' | 'used'>
  /** SHA-256 of the code that a person types in for a device. */
  user_code_hash: Nullable<string>
  /** When a device has last asked how it stands. */
  asked_at: Nullable<Time>
  payload: Json
  created_at: Time
  expires_at: Time
}

/** issuer. Private halves are encrypted with the server's secret. */
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
  oidc_temp: OidcTempTable
  signing_keys: SigningKeysTable
}
