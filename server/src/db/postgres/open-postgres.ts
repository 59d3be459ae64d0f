import { makeHandle, type ReadDb } from '../compiled-queries/handle.ts'
import { asOneStatement } from '../compiled-queries/together.ts'
import { type Connect, ListenedSignals } from '../signals/listened-signals.ts'
import { PolledSignals } from '../signals/polled-signals.ts'
import type { Opened } from '../store.ts'
import { CONNECTIONS, type PoolOptions, PostgresPool } from './postgres.ts'
import { connectClient, isPooled } from './postgres-client.ts'
import { Replica } from './replica.ts'

type PostgresOptions = Omit<PoolOptions, 'pooled'> & Record<'listenUrl' | 'replicaUrl', string | undefined>

/** Opens PostgreSQL; in a file of its own, because its driver is loaded only where it is used. */
export async function openPostgres(
  url: string,
  { listenUrl, replicaUrl, ...options }: PostgresOptions,
): Promise<Opened> {
  const { timeouts, report } = options
  const pooled = await isPooled(url, timeouts)
  const pool = new PostgresPool(url, { ...options, pooled })
  const db = makeHandle('postgres', pool.run)
  const direct = listenUrl ?? (pooled ? undefined : url)
  const signals = direct === undefined ? new PolledSignals(db, report) : new ListenedSignals(db, report)
  try {
    if (direct !== undefined && signals instanceof ListenedSignals) {
      const connect: Connect = (handlers) => connectClient(direct, { max: 1, timeouts, pooled, ...handlers })
      await signals.listen(connect, timeouts)
    }
  } catch (error) {
    await pool.close()
    throw error
  }
  const replica = replicaUrl === undefined ? undefined : await openReplica(replicaUrl, pool, options)
  return {
    db,
    read: db,
    replica: replica?.db,
    transaction: (work, options) => pool.transaction(work, options),
    together: (unit) => {
      const query = asOneStatement(db, unit)
      const run = () => pool.together(query)
      return options.trace ? options.trace(query.sql, run) : run()
    },
    signals,
    load: () => ({ operations: pool.operations, connections: CONNECTIONS }),
    async close() {
      await signals.close()
      await replica?.close()
      await pool.close()
    },
  }
}

/** Does not fail without the replica: the primary answers. */
async function openReplica(url: string, primary: PostgresPool, options: Omit<PoolOptions, 'pooled'>) {
  const { timeouts, report } = options
  // What works through a pooler works without one, too, where the replica is down and cannot tell.
  const pooled = await isPooled(url, timeouts).catch(() => true)
  const pool = new PostgresPool(url, { ...options, pooled })
  const replica = new Replica({ primary, replica: pool, report, interval: timeouts.replica })
  await replica.check()
  return {
    db: makeHandle('postgres', replica.run) as ReadDb,
    async close() {
      await replica.stop()
      await pool.close()
    },
  }
}
