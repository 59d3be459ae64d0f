/**
 * Reason why the sign-in failed. `blocked`: the browser blocked the popup. `closed`: the popup was closed. `denied`: access
 * was not allowed. `timeout`: the sign-in was not finished in time. `failed`: any other error; `error` holds the OAuth code.
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
