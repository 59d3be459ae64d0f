import { importJWK, SignJWT } from 'jose'
import { FailingAddresses } from '../../adapters/jobs/failing-addresses.ts'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import { GiveUp, type JobHandler, TryAgain } from '../../adapters/jobs/runner.ts'
import { outbound } from '../../adapters/outbound-http.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import { findBackchannelLogoutClients, findIssuerClient } from '../../features/clients/public.ts'
import { newToken } from '../../lib/ids.ts'
import { isLoopbackUrl } from '../../lib/loopback.ts'
import { sidOf } from '../interactions/provider-session.ts'
import { listKeys } from '../keys/signing-keys.ts'
import { listClientsToNotify } from './session-clients.ts'

/** The job that sends one logout token (OpenID Connect Back-Channel Logout 1.0). */
export const LOGOUT_JOB = 'backchannel_logout'

/** Without `sid`, the client ends all sessions of the user (§2.4). */
type LogoutJob = { client_id: string; user_id: string; sid?: string }

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds; each attempt signs a new token (§2.4 recommends at most two minutes). */
const LIFETIME = 120
/** Milliseconds. */
const TIMEOUT = 5000

/** Listens to `sessions_ended`, before the tokens of the sessions are deleted. */
export async function enqueueLogoutOfSessions(
  deps: TransactionDeps,
  { user_id, session_ids }: Events['sessions_ended'],
): Promise<void> {
  const pairs = await listClientsToNotify(deps.db, session_ids)
  const ids = [...new Set(pairs.map(({ client_id }) => client_id))]
  const listening = await findBackchannelLogoutClients(deps.db, ids)
  for (const { session_id, client_id } of pairs) {
    if (!listening.has(client_id)) continue
    await enqueueLogout(deps, { client_id, user_id, sid: sidOf(session_id, client_id) })
  }
}

/** Listens to `connection_removed`. */
export async function enqueueLogoutOfUser(
  deps: TransactionDeps,
  { user_id, client_id }: Events['connection_removed'],
): Promise<void> {
  if ((await findBackchannelLogoutClients(deps.db, [client_id])).has(client_id))
    await enqueueLogout(deps, { client_id, user_id })
}

async function enqueueLogout(deps: TransactionDeps, job: LogoutJob): Promise<void> {
  await enqueue(deps, LOGOUT_JOB, job)
}

/** Sends one logout token; repeated with growing pauses while the client's server is unavailable (§2.5, §2.8). */
export function logoutJob(deps: AppDeps): JobHandler {
  const out = outbound({ loopback: isLoopbackUrl(deps.config.url) })
  const failing = new FailingAddresses(deps.clock)
  return async (payload) => {
    const { client_id, user_id, sid } = payload as LogoutJob
    const client = await findIssuerClient(deps.db, client_id)
    const address = client?.backchannel_logout_uri
    if (!address) throw new GiveUp('the client has no backchannel_logout_uri')
    const sub = await deps.subjects.of(client, user_id)
    const token = await logoutToken(deps, client.id_token_signed_response_alg, { client_id, sub, sid })
    await failing.attempt(address, async () => {
      const { status } = await out.send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: token }).toString(),
        timeout: TIMEOUT,
        statusOnly: true,
      })
      if (status === 200 || status === 204) return
      // The client rejects the token and would reject it again (§2.8).
      if (status === 400) throw new GiveUp('the client rejected the logout token')
      throw new TryAgain(`the client answered ${status}`)
    })
  }
}

type Subject = Pick<LogoutJob, 'client_id' | 'sid'> & { sub: string }

async function logoutToken(deps: AppDeps, alg: string, { client_id, sub, sid }: Subject): Promise<string> {
  const key = (await listKeys(deps)).find((one) => one.alg === alg && one.state === 'active')
  if (!key) throw new Error(`no active key for ${alg}`)
  const now = Math.floor(deps.clock.now().getTime() / 1000)
  return await new SignJWT({ events: { [EVENT]: {} }, ...(sid ? { sid } : {}) })
    .setProtectedHeader({ alg, kid: key.kid, typ: 'logout+jwt' })
    .setIssuer(deps.config.url)
    .setSubject(sub)
    .setAudience(client_id)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME)
    .setJti(newToken())
    .sign(await importJWK(key.jwk, alg))
}
