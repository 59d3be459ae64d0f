import { FailingAddresses } from '../../adapters/jobs/failing-addresses.ts'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import { GiveUp, type JobHandler, TryAgain } from '../../adapters/jobs/runner.ts'
import { outbound } from '../../adapters/outbound-http.ts'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { findIssuerClient } from '../../features/clients/public.ts'
import { isLoopbackUrl } from '../../lib/loopback.ts'
import { isCollected } from '../interactions/decisions.ts'
import { findCibaRequest, listSealedCibaRequests, updateCibaPayload } from './store.ts'
import type { StoredCibaRequest } from './stored-ciba-request.ts'

/** The job that notifies a client that its request has an answer (OpenID Connect CIBA Core §10.2). */
export const CIBA_PING_JOB = 'ciba_ping'

/** Milliseconds. */
const TIMEOUT = 5000

type Notification = { auth_req_id: string; token: string }

/** Encrypts what the notification needs; null without a `client_notification_token`, which the mode `poll` does not have. */
export function sealNotification(
  { encryption }: Pick<AppDeps, 'encryption'>,
  id: string,
  { auth_req_id, token }: { auth_req_id: string; token: unknown },
): string | null {
  return typeof token === 'string' ? encryption.encrypt(JSON.stringify({ auth_req_id, token }), contextOf(id)) : null
}

/** Listens to `request_answered`; also for a request that a revocation has denied. */
export async function enqueueNotification(
  deps: TransactionDeps,
  { id }: Pick<Events['request_answered'], 'id'>,
): Promise<void> {
  const row = await findCibaRequest(deps.db, 'id', id)
  if (row && fromJson<StoredCibaRequest>(row.payload).notification !== null) await enqueue(deps, CIBA_PING_JOB, { id })
}

/** Sends one notification; repeated with growing pauses while the client's server is unavailable and the request is valid. */
export function cibaPingJob(deps: AppDeps): JobHandler {
  const out = outbound({ loopback: isLoopbackUrl(deps.config.url) })
  const failing = new FailingAddresses(deps.clock)
  return async (payload) => {
    const { id } = payload as { id: string }
    const row = await findCibaRequest(deps.db, 'id', id)
    if (!row || isCollected(row.decision) || row.expires_at <= toTime(deps.clock.now())) return
    const client = await findIssuerClient(deps.db, row.client_id)
    const { notification } = fromJson<StoredCibaRequest>(row.payload)
    const endpoint = client?.backchannel_client_notification_endpoint
    if (!client?.enabled || client.backchannel_token_delivery_mode !== 'ping' || !endpoint || notification === null) {
      throw new GiveUp('the client has no backchannel_client_notification_endpoint')
    }
    const { auth_req_id, token } = fromJson<Notification>(deps.encryption.decrypt(notification, contextOf(id)))
    await failing.attempt(endpoint, async () => {
      const { status } = await out.send(endpoint, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ auth_req_id }),
        timeout: TIMEOUT,
        statusOnly: true,
      })
      if (status === 204 || status === 200) return
      if (status >= 500 || status === 429) throw new TryAgain(`the client answered ${status}`)
      // The client rejects the notification and would reject it again; it is not redirected (§10.2).
      throw new GiveUp(`the client answered ${status}`)
    })
  }
}

/** Encrypts stored notifications with the current secret; returns how many were encrypted with another one. */
export async function resealNotifications({
  db,
  encryption,
}: Pick<TransactionDeps, 'db' | 'encryption'>): Promise<number> {
  let resealed = 0
  for (const { id, payload } of await listSealedCibaRequests(db)) {
    const stored = fromJson<StoredCibaRequest>(payload)
    const notification =
      stored.notification === null ? undefined : encryption.reseal(stored.notification, contextOf(id))
    if (notification === undefined) continue
    await updateCibaPayload(db, id, toJson({ ...stored, notification }))
    resealed += 1
  }
  return resealed
}

const contextOf = (id: string) => `ciba/${id}`
