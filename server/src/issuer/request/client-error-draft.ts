import type { ClientError } from '../../features/client-diagnostics/public.ts'

/**
 * The error of this request that is recorded for the client's developers (decision 0040). Written by the listeners of
 * oidc-provider's error events (client-errors.ts), read by `commitResponse`.
 */
export class ClientErrorDraft {
  #error: ClientError | undefined

  get error(): ClientError | undefined {
    return this.#error
  }

  /** oidc-provider emits a wrong redirect URI first and a consequence of it afterwards: the first is kept. */
  set(error: ClientError): void {
    if (this.#error?.reason !== 'redirect_uri') this.#error = error
  }
}
