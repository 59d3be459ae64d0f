/**
 * Why nobody was signed in. `blocked`: the browser refused the popup. `closed`: the person closed it. `denied`: the person
 * did not allow the app. `timeout`: nobody finished it. `failed`: everything else; `error` then holds the OAuth error code.
 */
export type SignInFailure = 'blocked' | 'closed' | 'denied' | 'timeout' | 'failed'

export class SignInError extends Error {
  readonly reason: SignInFailure
  /** RFC 6749 §4.1.2.1 */
  readonly error: string | undefined

  constructor(reason: SignInFailure, error?: string, description?: string | null) {
    super(description || error || reason)
    this.name = 'SignInError'
    this.reason = reason
    this.error = error
  }
}
