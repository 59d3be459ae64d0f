import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenDeps } from '../deps.ts'
import { ONLY_HTTPS } from '../edge/answer-headers.ts'
import { visitorOf } from '../edge/fence.ts'
import { CookieJar } from '../edge/session-cookie.ts'
import type { RefusalBook } from '../slices/clients/door.ts'
import type { ClientKeys } from './client-keys.ts'
import type { Issuer } from './issuer.ts'
import type { KnownClients } from './known-clients.ts'
import { runUnit, Unit } from './unit-of-work.ts'

/** What every answer of the engine needs around it. */
export interface EngineHouse {
  deps: OpenDeps
  issuer: Issuer
  clients: KnownClients
  keys: ClientKeys
  refusals: RefusalBook
}

/** For pages that the engine writes itself (a posted form, whose one script it adds by its hash), and for all else. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Hands a request over to the engine, on the snapshot of this moment and in a unit of work of its own. */
export async function serveEngine(
  { deps, issuer }: EngineHouse,
  request: FastifyRequest,
  reply: FastifyReply,
  unit: Unit,
): Promise<void> {
  const { scope } = request.query as { scope?: unknown }
  const snapshot = await issuer.knowing(typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [])
  const { raw } = request
  // The engine's addresses are the issuer's, whatever Host or proxy headers came with the request.
  const url = new URL(deps.config.url)
  raw.headers['x-forwarded-proto'] = url.protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = url.host
  reply.hijack()
  const transport = deps.config.secure ? ONLY_HTTPS : {}
  const headers = { ...HEADERS, ...transport, ...reply.getHeaders(), 'x-request-id': request.id }
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value)
  await runUnit(unit, () => snapshot.handle(raw, reply.raw))
}

export function unitFor({ deps, clients, keys, refusals, issuer }: EngineHouse, request: FastifyRequest): Unit {
  return new Unit(
    { ...deps, log: request.log },
    {
      clients,
      keys,
      published: issuer.current().published,
      refusals,
      cookie: new CookieJar(deps.config, request.headers.cookie).read('session'),
      visitor: () => visitorOf(deps.config, request),
      path: request.url.split('?')[0] ?? '',
    },
  )
}
