import { importJWK, SignJWT } from 'jose'
import type { Deps, OpenDeps } from '../deps.ts'
import type { Events } from '../events.ts'
import { newToken } from '../ports/ids.ts'
import { enqueue } from '../ports/jobs/jobs.ts'
import { GiveUp, type JobHandler } from '../ports/jobs/runner.ts'
import { isLoopbackUrl, outbound } from '../ports/outbound.ts'
import { listAppSignIns } from '../slices/activity/door.ts'
import { clientForIssuer, logoutListeners } from '../slices/clients/door.ts'
import { sidOf } from './engine-session.ts'
import { listKeys } from './keys.ts'
import { clientsOfSessions } from './token-store.ts'

/** OpenID Connect Back-Channel Logout 1.0: apps are told, server to server, that somebody is signed out. */
export const LOGOUT_JOB = 'backchannel_logout'

/** Without `sid`, everything that the app has of this person ends (§2.4). */
type LogoutJob = { client_id: string; user_id: string; sid?: string }

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds; each try signs anew (§2.4 wants at most two minutes). */
const LIFE = 120
const TIMEOUT = 5000

/** Listens to `sessions_ended`, while the tokens that came of them still tell for whom. */
export async function tellAppsOfSessions(
  deps: Deps,
  { user_id, session_ids }: Events['sessions_ended'],
): Promise<void> {
  const [signedIn, holding] = await Promise.all([
    listAppSignIns(deps.db, session_ids),
    clientsOfSessions(deps.db, session_ids),
  ])
  const pairs = new Map(
    [...signedIn, ...holding].map((pair) => [`${pair.session_id} ${pair.client_id}`, pair] as const),
  )
  const listening = await logoutListeners(deps.db, [...new Set([...pairs.values()].map(({ client_id }) => client_id))])
  for (const { session_id, client_id } of pairs.values()) {
    if (!listening.has(client_id)) continue
    await leave(deps, { client_id, user_id, sid: sidOf(session_id, client_id) })
  }
}

/** Listens to `connection_removed`: the person has taken everything back from this app. */
export async function tellAppOfPerson(deps: Deps, { user_id, client_id }: Events['connection_removed']): Promise<void> {
  if ((await logoutListeners(deps.db, [client_id])).has(client_id)) await leave(deps, { client_id, user_id })
}

async function leave(deps: Deps, job: LogoutJob): Promise<void> {
  await enqueue(deps, LOGOUT_JOB, job)
}

/** Sends one logout token; tried again, with growing pauses, while the app's server is away (§2.5, §2.8). */
export function logoutJob(deps: OpenDeps): JobHandler {
  const out = outbound({ loopback: isLoopbackUrl(deps.config.url) })
  return async (payload) => {
    const { client_id, user_id, sid } = payload as LogoutJob
    const client = await clientForIssuer(deps.db, client_id)
    if (!client?.backchannel_logout_uri) throw new GiveUp('the app does not listen any more')
    const token = await logoutToken(deps, client.id_token_signed_response_alg, { client_id, user_id, sid })
    const { status } = await out.send(client.backchannel_logout_uri, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
      timeout: TIMEOUT,
    })
    if (status === 200 || status === 204) return
    // Refused, not missed: the same token would be refused again (§2.8).
    if (status === 400) throw new GiveUp('the app refuses the logout token')
    throw new Error(`the app answered ${status}`)
  }
}

async function logoutToken(deps: OpenDeps, alg: string, { client_id, user_id, sid }: LogoutJob): Promise<string> {
  const key = (await listKeys(deps.db, deps.sealing)).find((one) => one.alg === alg && one.state === 'active')
  if (!key) throw new Error(`no key signs ${alg}`)
  const now = Math.floor(deps.clock.now().getTime() / 1000)
  return await new SignJWT({ events: { [EVENT]: {} }, ...(sid ? { sid } : {}) })
    .setProtectedHeader({ alg, kid: key.kid, typ: 'logout+jwt' })
    .setIssuer(deps.config.url)
    .setSubject(user_id)
    .setAudience(client_id)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFE)
    .setJti(newToken())
    .sign(await importJWK(key.jwk, alg))
}
