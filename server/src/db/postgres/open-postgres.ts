import { type CompiledQuery, SelectQueryNode } from 'kysely'
import type { Sql } from 'postgres'
import { makeHandle, type ReadDb } from '../compiled-queries/handle.ts'
import { asOneStatement } from '../compiled-queries/together.ts'
import { type Connect, type Handlers, ListenedSignals } from '../signals/listened-signals.ts'
import { PolledSignals } from '../signals/polled-signals.ts'
import type { Opened } from '../store.ts'
import type { Timeouts } from '../timeouts.ts'
import { type PoolOptions, PostgresPool } from './postgres.ts'
import { type ConnectClient, connectClient, isPooled } from './postgres-client.ts'
import { Replica } from './replica.ts'
import { Silence } from './silence.ts'

/**
 * Most connections of one server. Short reads share few connections, because statements that travel together cost less;
 * what may take long, or wait for a lock or the disk, does not delay them (decision 0011).
 */
const CONNECTIONS = { reads: 3, longReads: 2, writes: 5 }

type GivenOptions = Omit<PoolOptions, 'connections' | 'pooled' | 'onPrimary' | 'silence'>
type PostgresOptions = GivenOptions & Record<'listenUrl' | 'replicaUrl', string | undefined>

/** Opens PostgreSQL; in a file of its own, because its driver is loaded only where it is used. */
export async function openPostgres(
  url: string,
  { listenUrl, replicaUrl, ...options }: PostgresOptions,
): Promise<Opened> {
  const { timeouts, report, connect = connectClient } = options
  const first = new FirstConnection(url, timeouts, connect)
  const pooled = await isPooled(first.client, timeouts).catch((error: unknown) => {
    endLooking(first.client)
    throw isRefused(error) ? new StandbyError(error) : error
  })
  const silence = new Silence()
  const open = (connections: number, byIndex: boolean) =>
    new PostgresPool(url, { ...options, pooled, onPrimary: true, byIndex, silence, connections })
  const reads = open(CONNECTIONS.reads, true)
  const longReads = open(CONNECTIONS.longReads, false)
  const writes = open(CONNECTIONS.writes, true)
  const pools = [reads, longReads, writes]
  const close = async () => void (await Promise.all(pools.map((pool) => pool.close())))
  const db = makeHandle('postgres', (query) => (SelectQueryNode.is(query.query) ? reads : writes).run(query))
  const direct = listenUrl ?? (pooled ? undefined : url)
  if (direct !== url) endLooking(first.client)
  const signals = new (direct === undefined ? PolledSignals : ListenedSignals)(db, report, timeouts)
  try {
    const listen = async () => {
      if (direct === undefined || !(signals instanceof ListenedSignals)) return
      const listening: Connect = (handlers) =>
        (direct === url && first.take(handlers)) ||
        connect(direct, { max: 1, timeouts, pooled, onPrimary: true, ...handlers })
      await signals.listen(listening)
    }
    // One after the other, they would take twice as long. The first write opens its connection by itself.
    const opened = [listen(), reads.connect()]
    // Each has ended before any is closed: one that began to listen later would never end.
    await Promise.allSettled(opened)
    await Promise.all(opened)
  } catch (error) {
    await signals.close()
    await close()
    throw isRefused(error) ? new StandbyError(error) : error
  }
  const replica = replicaUrl === undefined ? undefined : await openReplica(replicaUrl, longReads, options)
  return {
    db,
    read: db,
    longReads: makeHandle('postgres', longReads.run),
    replica: replica?.db,
    transaction: (work, options) => writes.transaction(work, options),
    together: (guarded) => {
      const query = asOneStatement(db, guarded)
      const run = () => writes.together(query)
      return options.trace ? options.trace(query.sql, run) : run()
    },
    withNextCommit: async (write) => void (await db.executeQuery(write.compiled(db))),
    signals,
    load: () => ({
      operations: pools.reduce((sum, pool) => sum + pool.operations, 0),
      connections: Object.values(CONNECTIONS).reduce((sum, many) => sum + many),
    }),
    async close() {
      await signals.close()
      await replica?.close()
      await close()
    },
  }
}

/** The connection that detects a pooler. Without a pooler it is then used for LISTEN, with the handlers that it is given then. */
class FirstConnection {
  readonly client: Sql
  #handlers: Handlers | undefined

  constructor(url: string, timeouts: Timeouts, connect: ConnectClient) {
    this.client = connect(url, {
      max: 1,
      timeouts,
      // A pooler refuses the limits of other connections; what listens needs none.
      pooled: true,
      onPrimary: true,
      onnotify: (channel, payload) => this.#handlers?.onnotify?.(channel, payload),
      onclose: () => this.#handlers?.onclose?.(),
    })
  }

  /** Hands the connection over once; undefined afterwards. */
  take(handlers: Handlers): Sql | undefined {
    if (this.#handlers) return undefined
    this.#handlers = handlers
    return this.client
  }
}

/** Ends a connection that has looked for a pooler. Nothing depends on its end, for which the next connections do not wait. */
function endLooking(client: Sql): void {
  client.end({ timeout: 0 }).catch(() => {})
}

/** Whether the driver has refused a standby: nothing else ends a connection that is opened. */
function isRefused(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'CONNECTION_DESTROYED'
}

/** The address of the database leads to a server that takes no changes. */
class StandbyError extends Error {
  override name = 'StandbyError'
  readonly code = 'CONNECTION_DESTROYED'
  constructor(cause: unknown) {
    super('VRATA_DATABASE_URL leads to a standby, which takes no changes', { cause })
  }
}

/** Does not fail without the replica: the primary answers. */
async function openReplica(url: string, primary: PostgresPool, options: GivenOptions) {
  const { timeouts, report, connect = connectClient } = options
  let pool: PostgresPool | undefined
  // It is unknown whether a replica that does not answer is behind a pooler.
  const opened = async () => {
    if (pool) return pool
    const first = connect(url, { max: 1, timeouts, pooled: true })
    const pooled = await isPooled(first, timeouts).finally(() => endLooking(first))
    pool = new PostgresPool(url, { ...options, pooled, connections: CONNECTIONS.longReads })
    return pool
  }
  // Until the first check has succeeded, nothing but checks asks it, and these one after the other.
  const source = { run: async <R>(query: CompiledQuery) => await (await opened()).run<R>(query) }
  const replica = new Replica({ primary, replica: source, report, interval: timeouts.replica })
  await replica.check()
  return {
    db: makeHandle('postgres', replica.run) as ReadDb,
    async close() {
      await replica.stop()
      await pool?.close()
    },
  }
}
