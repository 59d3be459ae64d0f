/** Options of `signIn`. */
export interface SignInOptions {
  /** Address of the Vrata server, `https://id.example`. */
  issuer: string
  client_id: string
  /** A registered redirect URI of this page's origin. Default: the address of this page without its query. */
  redirect_uri?: string
  /** Scopes, separated by spaces. Default: `openid profile email`. */
  scope?: string
  /** `popup` falls back to `redirect` when the browser blocks popups. */
  display?: 'popup' | 'redirect'
  /** When false, a blocked popup is the error `blocked` and the page is not left. */
  fallback?: boolean
  /** Seconds after which an unfinished popup is given up. Default: 600. */
  timeout?: number
  /** Standard parameters of the authorization request (OpenID Connect Core §3.1.2.1). */
  prompt?: 'login' | 'consent' | 'select_account'
  login_hint?: string
  ui_locales?: string
}

/** An authorization code and what its exchange needs, for your server or for `exchange`. */
export interface SignInResult {
  code: string
  code_verifier: string
  redirect_uri: string
  nonce: string
  issuer: string
  client_id: string
}

/** Values kept until the response arrives. */
export type PendingRequest = Omit<SignInResult, 'code'> & { state: string }
