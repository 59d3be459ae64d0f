import type { FastifyInstance } from 'fastify'
import type { Store } from '../../db/open.ts'
import { clockError } from '../../lib/database-clock.ts'

/** Announces the end of the server, while it still answers. */
export interface Draining {
  /** From now on `/readyz` fails and every response closes its connection, so that proxies turn to other servers. */
  begin(): void
}

/** Whether proxies may send requests to this server. */
export interface Health extends Draining {
  /** Why `/readyz` answers 503; empty while it does not. */
  problems(): Promise<readonly string[]>
}

/**
 * `/healthz`: the process runs. `/readyz`: database and migrations are available, the clock of this machine is that of the database, and the
 * server is not shutting down.
 */
export function mountHealth(app: FastifyInstance, store: Store): Health {
  let draining = false
  const begin = () => {
    draining = true
  }
  const problemsNow = async () => (draining ? ['draining'] : await unready(store))
  app.addHook('preClose', async () => begin())
  app.addHook('onSend', (_, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', async (_, reply) => {
    const problems = await problemsNow()
    return reply
      .header('cache-control', 'no-store')
      .code(problems.length ? 503 : 200)
      .send({ status: problems.length ? 'not_ready' : 'ready', problems })
  })
  return { begin, problems: problemsNow }
}

async function unready(store: Store): Promise<string[]> {
  return await problemsOf(store).catch(() => ['database'])
}

async function problemsOf(store: Store): Promise<string[]> {
  const seconds = await clockError(store)
  const problems = seconds === undefined ? [] : [clockSentence(seconds)]
  const pending = await store.pendingMigrations()
  return pending.length ? [...problems, `migrations pending: ${pending.join(', ')}`] : problems
}

function clockSentence(seconds: number): string {
  return `clock: ${Math.abs(seconds)} seconds ${seconds > 0 ? 'after' : 'before'} the database's`
}
