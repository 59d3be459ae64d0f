import { paths, safeRedirect } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'
import type { ReadDb } from '../../db/open.ts'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { listFrontchannelLogoutClients } from '../../features/clients/public.ts'
import { anonymousActor } from '../../http/guards/request-guards.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import { sidOf } from '../interactions/provider-session.ts'
import { FRONTCHANNEL_PATH, SIGNED_OUT_PATH } from '../paths.ts'
import {
  consumeProviderModel,
  findProviderModel,
  insertProviderModel,
  newProviderModelRow,
  type ProviderModelRow,
} from '../provider/provider-model-store.ts'
import { type FrontchannelApp, frontchannelPage } from './frontchannel-page.ts'
import { listClientsToNotify } from './session-clients.ts'

/** Seconds in which the browser must open the page after the sign-out. */
const LIFETIME = 300
/** Apps of one page: the policy of the page names the address of each, and headers have a limited size. */
const MOST_APPS = 20

/** `continue_to`: absolute URL or path after the last frame; null for the sign-in page. */
type StoredLogout = { apps: FrontchannelApp[]; continue_to: string | null }

/** The page of one sign-out: its path, and the row that must be inserted by the transaction that ends the session. */
export type PreparedLogout = { path: string; row: ProviderModelRow }

/**
 * Prepares the page that loads the front-channel logout URIs of the apps of a session (OpenID Connect Front-Channel
 * Logout §2). To be called before the session ends. Undefined when no app of the session has such a URI.
 */
export async function frontchannelLogoutOf(
  { db, config, clock }: { db: ReadDb } & Pick<AppDeps, 'config' | 'clock'>,
  session_id: string,
  continue_to: string | null,
): Promise<PreparedLogout | undefined> {
  const ids = (await listClientsToNotify(db, [session_id])).map(({ client_id }) => client_id)
  const clients = await listFrontchannelLogoutClients(db, ids)
  if (clients.length === 0) return undefined
  const apps = clients.slice(0, MOST_APPS).map((client): FrontchannelApp => {
    const url = new URL(client.frontchannel_logout_uri)
    if (client.frontchannel_logout_session_required) {
      url.searchParams.set('iss', config.url)
      url.searchParams.set('sid', sidOf(session_id, client.client_id))
    }
    return { name: client.name, url: url.href }
  })
  const token = newToken()
  const row = {
    ...newProviderModelRow('FrontchannelLogout', hashToken(token), clock.now(), LIFETIME),
    payload: toJson<StoredLogout>({ apps, continue_to }),
  }
  return { path: `${FRONTCHANNEL_PATH}/${token}`, row }
}

/** Implements the extension point: prepares the page for a sign-out by the API. */
export async function prepareFrontchannelLogout(
  deps: Pick<TransactionDeps, 'db' | 'config' | 'clock'>,
  session_id: string,
): Promise<string | undefined> {
  const prepared = await frontchannelLogoutOf(deps, session_id, null)
  if (prepared) await insertProviderModel(deps.db, prepared.row)
  return prepared?.path
}

/** Serves the pages of sign-outs, each once; a second request leads to the page after a sign-out. */
export function mountFrontchannelLogout(app: FastifyInstance, deps: AppDeps): void {
  type Request = { Params: { token: string }; Querystring: Record<string, unknown> }
  app.get<Request>(`${FRONTCHANNEL_PATH}/:token`, { exposeHeadRoute: false }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const stored = await consumeLogout(deps, request.params.token)
    if (!stored) return reply.redirect(SIGNED_OUT_PATH, 303)
    const { redirect } = request.query
    const { locale } = anonymousActor(deps, request)
    const continue_to = stored.continue_to ?? paths.loginUnasked(safeRedirect(redirect))
    const { html, policy } = frontchannelPage({ locale, look: deps.branding.public() }, stored.apps, continue_to)
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
  })
}

async function consumeLogout(deps: AppDeps, token: string): Promise<StoredLogout | undefined> {
  const id_hash = hashToken(token)
  const row = await findProviderModel(deps.db, 'FrontchannelLogout', id_hash, toTime(deps.clock.now()))
  if (!row || !(await deps.transaction(({ db }) => consumeProviderModel(db, id_hash)))) return undefined
  return fromJson<StoredLogout>(row.payload)
}
