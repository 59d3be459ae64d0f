import postgres, { type Sql } from 'postgres'
import { isLoopbackHost } from '../../lib/loopback.ts'
import type { Timeouts } from '../timeouts.ts'
import { AnswerTimer } from './answer-timer.ts'
import { type Place, Sockets } from './sockets.ts'

export type ClientOptions = {
  /** Most connections. */
  max: number
  timeouts: Timeouts
  /** Whether a pooler such as PgBouncer may give each transaction another connection of PostgreSQL (decision 0011). */
  pooled: boolean
  /**
   * Whether connections to a standby are refused: an address that leads to one for a moment during a failover would otherwise be written to in vain for
   * as long as the connection lives.
   */
  onPrimary?: boolean | undefined
  /**
   * Whether rows are found by an index also where a table is so small that PostgreSQL would rather read all of it: a prepared statement keeps its plan
   * while the table grows (decision 0011).
   */
  byIndex?: boolean | undefined
  /** Receives the payload of a notification on a channel that this client listens to. */
  onnotify?: (channel: string, payload: string) => void
  /** Called when a connection has ended. */
  onclose?: () => void
}

export type ConnectClient = (url: string, options: ClientOptions) => Sql

/** Opens no connection yet: postgres.js does with the first statement. */
export function connectClient(
  url: string,
  { max, timeouts, pooled, onPrimary, byIndex, onnotify, onclose }: ClientOptions,
): Sql {
  const { connect, statement, lock, idle_in_transaction } = timeouts
  // A pooler refuses these parameters, because connections are shared; `localLimits` takes their place.
  const limits = {
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idle_in_transaction,
    // Starting processes for a page of a list takes longer than reading it (decision 0011). A text: the driver leaves out the number 0.
    max_parallel_workers_per_gather: '0',
    // Compiling a statement takes longer than running any of these, and is repeated at each execution.
    jit: 'off',
    ...(byIndex ? { enable_seqscan: 'off' } : {}),
  }
  // Seconds. Short, so that a restarted database is found at once.
  const backoff = () => 0.05 + Math.random() * 0.2
  const sockets = new Sockets(() => backoff() * 1000)
  const address = placeOf(url)
  const options = {
    max,
    socket: (place: Place) => sockets.open(address ?? place),
    ssl: tlsFor(url),
    connect_timeout: connect / 1000,
    backoff,
    // The connection that listens is kept.
    ...(onnotify ? { max_lifetime: null } : {}),
    fetch_types: false,
    // A statement that was prepared on one connection does not exist on the next.
    prepare: !pooled,
    onnotice: () => {},
    ...(onPrimary ? { target_session_attrs: 'primary' as const } : {}),
    ...(onnotify ? { onnotify } : {}),
    ...(onclose ? { onclose } : {}),
    types: {
      // Counts are 64-bit; converted to numbers, as on SQLite.
      count: { to: 20, from: [20], serialize: String, parse: Number },
    },
    connection: { application_name: 'vrata', ...(pooled ? {} : limits) },
  }
  const client = postgres(withoutTlsMode(url), options)
  const end = client.end
  client.end = (how) => {
    if (how?.timeout === 0) sockets.end()
    return end(how)
  }
  return client
}

/** The statement that limits the rest of one transaction, in milliseconds. */
export function localLimits({ statement, lock, idle_in_transaction }: Timeouts): string {
  return `set local statement_timeout = ${statement}; set local lock_timeout = ${lock}; set local idle_in_transaction_session_timeout = ${idle_in_transaction}`
}

/**
 * Whether a pooler is between this process and PostgreSQL. A pooler reports its own process number to clients when they
 * connect, for canceling statements; PostgreSQL's answer has the real one. Throws `NoAnswer`.
 */
export async function isPooled(client: Sql, { answer }: Pick<Timeouts, 'answer'>): Promise<boolean> {
  // Otherwise the driver connects again and again to a proxy that has no server.
  const timer = new AnswerTimer(answer)
  const asked = timer.of(client.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid'))
  const rows = await Promise.race([asked, timer.overdue])
  return rows[0]?.pid !== rows.state.pid
}

/**
 * TLS with a verified certificate to every host but loopback (security §12.3); `?sslmode=disable` is for private
 * networks. The weaker modes of libpq, which do not verify the host, are treated as `verify-full`.
 */
export function tlsFor(url: string): false | 'verify-full' {
  const { hostname, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode')
  if (mode === 'disable') return false
  const own = hostname === '' || isLoopbackHost(hostname) || Boolean(placeOf(url)?.path)
  return own && mode === null ? false : 'verify-full'
}

/** Where PostgreSQL is, if the driver does not read it from the URL: it cuts an IPv6 address at a colon, and decodes no folder of a socket. */
function placeOf(url: string): Place | undefined {
  const { hostname, port } = new URL(url)
  const number = Number(port || 5432)
  if (hostname.startsWith('[')) return { host: [hostname.slice(1, -1)], port: [number], path: false }
  const folder = decodeURIComponent(hostname)
  return folder.startsWith('/') ? { host: [folder], port: [number], path: `${folder}/.s.PGSQL.${number}` } : undefined
}

/** Removes `sslmode`, which the server would reject as an unknown setting. */
function withoutTlsMode(url: string): string {
  const stripped = new URL(url)
  stripped.searchParams.delete('sslmode')
  return stripped.href
}
