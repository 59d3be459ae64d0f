import type { FastifyInstance } from 'fastify'
import type { Store } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'

/** Seconds between the clocks of a server and of its database from which the server is not ready: it would take valid codes for expired. */
const SKEW = 60

/** Announces the end of the server, while it goes on answering. */
export interface Draining {
  /** From now on `/readyz` fails and every response closes its connection, so that proxies turn to other servers. */
  begin(): void
}

/**
 * `/healthz`: the process runs. `/readyz`: database and migrations are available, the clock is that of the database, and the
 * server is not shutting down.
 */
export function mountHealth(app: FastifyInstance, store: Store, clock: Clock): Draining {
  let draining = false
  const begin = () => {
    draining = true
  }
  app.addHook('preClose', async () => begin())
  app.addHook('onSend', (_, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', async (_, reply) => {
    const problems = draining ? ['draining'] : await unready(store, clock)
    return reply
      .header('cache-control', 'no-store')
      .code(problems.length ? 503 : 200)
      .send({ status: problems.length ? 'not_ready' : 'ready', problems })
  })
  return { begin }
}

async function unready(store: Store, clock: Clock): Promise<string[]> {
  return await problemsOf(store, clock).catch(() => ['database'])
}

async function problemsOf(store: Store, clock: Clock): Promise<string[]> {
  const time = await store.ping()
  const problems = time ? differenceOf(clock.now(), time) : []
  const pending = await store.pendingMigrations()
  return pending.length ? [...problems, `migrations pending: ${pending.join(', ')}`] : problems
}

function differenceOf(here: Date, there: Date): string[] {
  const seconds = Math.round((here.getTime() - there.getTime()) / 1000)
  if (Math.abs(seconds) <= SKEW) return []
  return [`clock: ${Math.abs(seconds)} seconds ${seconds > 0 ? 'after' : 'before'} the database's`]
}
