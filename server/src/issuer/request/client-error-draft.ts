import type { ClientError } from '../../features/client-diagnostics/public.ts'

type WithoutClient = Omit<ClientError, 'client_id'>

/** A client error, with the client whose developers see it: that of an access token, or the owner of the API `resource`. */
export type DraftedClientError =
  | ClientError
  | (WithoutClient & { access_token: string })
  | (WithoutClient & { resource: string })

/**
 * The error of this request that is recorded for the client's developers (decision 0040). Written by the listeners of
 * oidc-provider's error events (client-errors.ts), read by `commitResponse`.
 */
export class ClientErrorDraft {
  #error: DraftedClientError | undefined

  get error(): DraftedClientError | undefined {
    return this.#error
  }

  /** oidc-provider emits a wrong redirect URI first and a consequence of it afterwards: the first is kept. */
  set(error: DraftedClientError): void {
    if (this.#error?.reason !== 'redirect_uri') this.#error = error
  }
}
