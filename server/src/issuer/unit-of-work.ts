import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '@vrata/contract'
import { isUnavailable } from '../db/dialect.ts'
import { type TimeText, toTime } from '../db/values.ts'
import type { Deps, OpenDeps } from '../deps.ts'
import type { Visitor } from '../edge/actors.ts'
import { findUser, type User } from '../slices/account/door.ts'
import { endSessions, type SessionRow, sessionByToken } from '../slices/auth/door.ts'
import type { IssuerClient, RefusalBook, Refused } from '../slices/clients/door.ts'
import { type Connection, connectionOf, isBlocked } from '../slices/connections/door.ts'
import type { ClaimsRow } from './claims.ts'
import type { ClientKeys } from './client-keys.ts'
import type { Published } from './jwt-reads.ts'
import type { KnownClients } from './known-clients.ts'
import type { TokenWork } from './token-store.ts'

/** Somebody, as far as the engine needs to know them. */
export type Person = ClaimsRow & Pick<User, 'disabled_at'>
export type Write = (deps: Deps) => Promise<unknown>

/** An authorization request that goes on: what the dispatcher found out, for the engine's resume. */
export interface Resumed {
  step: 'done' | 'deny' | 'refuse' | 'unmet'
  login: { accountId: string; ts: number; amr: string[]; acr: string }
}

/** What the engine learns of a request before it begins. */
export interface UnitStart {
  clients: Pick<KnownClients, 'find'>
  keys: Pick<ClientKeys, 'of'>
  /** Our own keys at this moment. */
  published: Published
  refusals: Pick<RefusalBook, 'note'>
  /** Value of our session cookie. */
  cookie: string | undefined
  visitor: () => Visitor
  /** Path of the request. */
  path: string
}

/**
 * Everything that one answer of the engine reads and writes. Each fact is read once; writes wait and are one
 * transaction before the answer leaves, so that a spent code and the tokens made from it are one fact (oidc.md §4.7).
 */
export class Unit {
  readonly deps: OpenDeps
  readonly start: UnitStart
  /** When the request arrived. */
  readonly now: Date
  readonly nowText: TimeText
  resumed: Resumed | undefined
  readonly writes: Write[] = []
  /** What changes a row that other writes only hold: whoever held it first could wait for another who does so, for ever. */
  readonly firstWrites: Write[] = []
  /** What one write does with tokens. */
  tokens: TokenWork = { spent: [], made: [], ended: [] }
  /** Whose the grants are that this request has met, by grant id. */
  readonly found = new Map<string, { user_id: string; client_id: string; session_id: string }>()
  /** Grants of the one-time tokens that were found, by token. */
  readonly spendable = new Map<string, string>()
  /** The grant of what is about to be spent: it ends when somebody else was faster. */
  spending: string | undefined
  /** The one person that the app asked for. */
  wanted: string | undefined
  /** The scopes of single claims that the app asked for, beyond its scopes. */
  claimed: string[] = []
  /** The authentication contexts of which the app insists on one. */
  acr: string[] | undefined
  signedOut = false
  /** What of the app's request was refused, for its developers. */
  refused: Refused | undefined
  /** The database went away while the engine was reading. */
  unavailable = false

  readonly #last: Write[] = []
  readonly #clients = new Map<string, Promise<IssuerClient | undefined>>()
  readonly #connections = new Map<string, Promise<Connection | undefined>>()
  readonly #people = new Map<string, Promise<Person | undefined>>()
  #session: Promise<SessionRow | undefined> | undefined

  constructor(deps: OpenDeps, start: UnitStart) {
    this.deps = deps
    this.start = start
    this.now = deps.clock.now()
    this.nowText = toTime(this.now)
  }

  client(client_id: string): Promise<IssuerClient | undefined> {
    return once(this.#clients, client_id, () => this.start.clients.find(client_id))
  }

  person(user_id: string): Promise<Person | undefined> {
    return once(this.#people, user_id, () => findUser(this.deps.db, user_id))
  }

  /** Whoever was read with a token need not be read again. */
  meet(person: Person, client_id: string, connection: Connection): void {
    this.#people.set(person.id, Promise.resolve(person))
    this.#connections.set(`${person.id} ${client_id}`, Promise.resolve(connection))
  }

  connection(user_id: string, client_id: string): Promise<Connection | undefined> {
    return once(this.#connections, `${user_id} ${client_id}`, () => connectionOf(this.deps.db, user_id, client_id))
  }

  /** Whether the app's organisation lets the person in front of the browser into none of its apps. */
  async isBlocked(client_id: string): Promise<boolean> {
    const [session, client] = await Promise.all([this.session(), this.client(client_id)])
    if (!session || !client) return false
    const connection = await this.connection(session.user_id, client_id)
    return connection ? connection.blocked : await isBlocked(this.deps.db, client.developer_id, session.user_id)
  }

  /** The session that the cookie names; undefined for nobody, and for one that has ended. */
  session(): Promise<SessionRow | undefined> {
    const { cookie } = this.start
    this.#session ??= cookie ? sessionByToken(this.deps.db, cookie, this.now) : Promise.resolve(undefined)
    return this.#session
  }

  /** The person has signed out: their session ends with everything that came of it, as it does in the account itself. */
  signOut({ session_id, user_id }: { session_id: string; user_id: string }): void {
    this.signedOut = true
    this.later((deps) => endSessions(deps, user_id, { only: [session_id] }))
  }

  failed(error: unknown): void {
    if (isAway(error)) this.unavailable = true
    else this.deps.log.error({ err: error }, 'the engine failed')
  }

  later(write: Write): void {
    this.writes.push(write)
  }

  /** For a write to a row that other people's answers write to, too: once all others are done, so that all take it last. */
  atLast(write: Write): void {
    this.#last.push(write)
  }

  /** Commits what was collected. The writes travel together, after the first; the first that fails undoes them all. */
  async commit(): Promise<void> {
    const [first, writes, last] = [this.firstWrites.splice(0), this.writes.splice(0), this.#last.splice(0)]
    this.tokens = { spent: [], made: [], ended: [] }
    if (first.length + writes.length + last.length === 0) return
    await this.deps.transaction(async (deps) => {
      for (const write of first) await write(deps)
      await Promise.all(writes.map((write) => write(deps)))
      await Promise.all(last.map((write) => write(deps)))
    })
  }

  /** The engine reckons in the machine's seconds, our tables in the clock's time: only tests tell them apart. */
  toEngine(time: string): number {
    return Math.floor((Date.parse(time) - this.now.getTime() + Date.now()) / 1000)
  }

  fromEngine(seconds: number): string {
    return toTime(new Date(seconds * 1000 - Date.now() + this.now.getTime()))
  }
}

/** What is asked for again is not done again. */
function once<T>(memory: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const known = memory.get(key)
  if (known) return known
  const reading = read()
  memory.set(key, reading)
  return reading
}

/** Is the database away, full or too busy, so that the same request may succeed later? */
export function isAway(error: unknown): boolean {
  return (error instanceof Problem && error.code === 'unavailable') || isUnavailable(error)
}

const units = new AsyncLocalStorage<Unit>()

export function runUnit<T>(unit: Unit, work: () => Promise<T>): Promise<T> {
  return units.run(unit, work)
}

/** The unit of the request in which the calling code runs. */
export function unitOfWork(): Unit {
  const unit = units.getStore()
  if (!unit) throw new Error('The engine works only inside a unit of work')
  return unit
}
