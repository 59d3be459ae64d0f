import { setTimeout as pause } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { type ClientOptions, type ConnectClient, connectClient } from '../../src/db/postgres/postgres-client.ts'
import type { Sent } from '../../src/db/postgres/statements.ts'

/** `DISCARD ALL`, with which a pooler hands a connection on, but what is prepared and planned stays. */
const RESET = `close all; set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();
  discard sequences; discard temp`
/** Milliseconds for that; a connection that takes longer is not handed on. */
const PATIENCE = 1000

/** Refuses whatever it is asked. */
const ENDED = postgres({ max: 1 })
await ENDED.end()

/** The members of a client that the server uses. */
type Lent = {
  unsafe(...args: Parameters<Sql['unsafe']>): Sent
  begin<T>(work: (sql: Pick<Lent, 'unsafe'>) => Promise<T>): Promise<unknown>
  end: Sql['end']
}
/** Callbacks of the driver when a statement has been answered, or never will be; its types do not name them. */
type Settling = Record<'resolve' | 'reject', (value: unknown) => void>
type Handlers = Pick<ClientOptions, 'onnotify' | 'onclose'>

/**
 * Clients of one database that stores use one after the other. A new connection takes 7 ms of CPU time, and each parses and plans every
 * statement anew. Only a client is handed on that has nothing under way, and whose connections have all been reset and never been lost.
 */
export class KeptClients {
  readonly #url: string
  /** Unused clients, by their options. */
  readonly #free = new Map<string, KeptClient[]>()

  constructor(url: string) {
    this.#url = url
  }

  readonly connect: ConnectClient = (url, options) => {
    // Through a proxy, or as another account.
    if (url !== this.#url) return connectClient(url, options)
    const { onnotify, onclose, ...rest } = options
    const key = JSON.stringify([rest, onnotify !== undefined])
    const free = this.#free.get(key) ?? []
    this.#free.set(key, free)
    const usable = free.findLastIndex((client) => !client.isLost)
    const [client = new KeptClient(url, options)] = usable < 0 ? [] : free.splice(usable, 1)
    return client.lend(options, () => void free.push(client))
  }

  /** Processes of PostgreSQL that serve unused clients. */
  get pids(): number[] {
    return this.#all.flatMap((client) => client.pids)
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map((client) => client.end()))
  }

  get #all(): KeptClient[] {
    return [...this.#free.values()].flat()
  }
}

class KeptClient {
  readonly #client: Sql
  /** Connections that have executed a statement; the driver keeps one object for each. */
  readonly #states = new Set<{ pid: number | null }>()
  #handlers: Handlers = {}
  #underWay = 0
  #isLost = false

  constructor(url: string, { onnotify, ...options }: ClientOptions) {
    this.#client = connectClient(url, {
      ...options,
      ...(onnotify ? { onnotify: (channel, payload) => this.#handlers.onnotify?.(channel, payload) } : {}),
      onclose: () => {
        this.#isLost = true
        this.#handlers.onclose?.()
      },
    })
  }

  /** Whether a connection has ended. */
  get isLost(): boolean {
    return this.#isLost
  }

  get pids(): number[] {
    return [...this.#states].flatMap(({ pid }) => pid ?? [])
  }

  async end(): Promise<void> {
    await this.#client.end({ timeout: 0 })
  }

  /** A client for one store; `giveBack` is called when it has ended that and this one can be used again. */
  lend(handlers: Handlers, giveBack: () => void): Sql {
    this.#handlers = handlers
    let client = this.#client
    let ended: Promise<void> | undefined
    const end = async (how: Parameters<Sql['end']>[0]) => {
      // Statements that the store sends afterwards must not reach the next store.
      client = ENDED
      if (await this.#isReset()) giveBack()
      else await this.#client.end(how)
    }
    const lent: Lent = {
      unsafe: (...args) => this.#watch(client.unsafe(...args) as unknown as Sent),
      begin: async (work) => {
        this.#underWay += 1
        const begun = client.begin((sql) =>
          work({ unsafe: (...args) => this.#watch(sql.unsafe(...args) as unknown as Sent) }),
        )
        return await begun.finally(() => {
          this.#underWay -= 1
        })
      },
      end: (how) => (ended ??= end(how)),
    }
    return lent as unknown as Sql
  }

  /** Counts a statement while it is under way, and notes its connection. */
  #watch(sent: Sent): Sent {
    this.#underWay += 1
    const { resolve, reject } = sent as unknown as Settling
    const settled = (settle: (value: unknown) => void) => (value: unknown) => {
      this.#underWay -= 1
      if (sent.state) this.#states.add(sent.state)
      settle(value)
    }
    return Object.assign(sent, { resolve: settled(resolve), reject: settled(reject) })
  }

  async #isReset(): Promise<boolean> {
    this.#handlers = {}
    if (this.#underWay > 0 || this.#isLost) return false
    const reset = async () => {
      const connections = await Promise.all([...this.#states].map(() => this.#client.reserve()))
      await Promise.all(connections.map((connection) => connection.unsafe(RESET)))
      for (const connection of connections) connection.release()
      return !this.#isLost
    }
    const late = new AbortController()
    const inTime = Promise.race([reset(), pause(PATIENCE, false, { signal: late.signal })])
    return await inTime.catch(() => false).finally(() => late.abort())
  }
}
