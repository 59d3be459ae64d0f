import type { Db, ReadDb } from '../db/open.ts'
import type { Deps } from '../deps.ts'

/** An authorization request that waits for its person (an oidc-provider "interaction"), as the slices see it. */
export interface PendingRequest {
  uid: string
  client_id: string
  /** The person's session when the request arrived or signed in for it; null while nobody has. */
  session_id: string | null
  /** Scopes that it asks for. */
  scopes: string[]
  /** Host of the redirect URI, for the consent screen. */
  redirect_host: string
  /** The device that asks, when it is not the browser in which the person answers (RFC 8628). */
  device: { os: string | null; browser: string | null; ip: string; location: string | null; asked_at: string } | null
}

/**
 * The slices' view of the engine, which stands later in the line (house.md §3): the issuer implements this and
 * `app.ts` hands it over.
 */
export interface PendingRequests {
  find(db: ReadDb | Db, uid: string): Promise<PendingRequest | undefined>
  /**
   * Binds what waits behind a device's code to this session. `ended`: its time is up, it was answered, or somebody else
   * who is still signed in was first.
   */
  openDevice(
    deps: Deps,
    code: string,
    person: { user_id: string; session_id: string },
  ): Promise<PendingRequest | 'unknown' | 'ended'>
  /** Records the person's decision, once, while the request still is their session's; returns where the browser goes on. */
  finish(
    deps: Deps,
    request: Pick<PendingRequest, 'uid' | 'session_id'>,
    decision: 'allowed' | 'denied',
  ): Promise<string>
}
