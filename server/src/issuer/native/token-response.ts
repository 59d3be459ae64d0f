import type { FoundToken } from '../tokens/store.ts'

/** The response of the token endpoint (RFC 6749 §5.1), with its members in the order of oidc-provider. */
export interface TokenResponse {
  access_token: string
  expires_in: number
  id_token?: string
  refresh_token?: string
  scope?: string
  token_type: 'Bearer'
}

/** A response that is sent once its writes are committed, the user whom it is about, and the row of the new refresh token, if it is to be remembered. */
export interface Granted {
  response: TokenResponse
  user_id?: string
  next?: FoundToken
}
