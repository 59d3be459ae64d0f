/** What to sign in to, and how. */
export interface SignInOptions {
  /** Address of the Vrata server, `https://id.example`. */
  issuer: string
  client_id: string
  /** A registered redirect URI on this page's own origin; this page's address without query when not given. */
  redirect_uri?: string
  /** Scopes, separated by spaces; `openid profile email` when not given. */
  scope?: string
  /** `popup` falls back to leaving this page when the browser blocks popups. */
  display?: 'popup' | 'redirect'
  /** With false a blocked popup is an error, `blocked`, instead of leaving this page. */
  fallback?: boolean
  /** Seconds after which a popup that nobody finishes is given up; 600 when not given. */
  timeout?: number
  /** Standard parameters of the authorization request (OpenID Connect Core §3.1.2.1). */
  prompt?: 'login' | 'consent' | 'select_account'
  login_hint?: string
  ui_locales?: string
}

/** A code and what its exchange needs: hand it to your own server, or to `exchange`. */
export interface SignInResult {
  code: string
  code_verifier: string
  redirect_uri: string
  nonce: string
  issuer: string
  client_id: string
}

/** What is remembered until the answer comes. */
export type Pending = Omit<SignInResult, 'code'> & { state: string }
