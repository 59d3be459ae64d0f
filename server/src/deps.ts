import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Db, ReadDb, Store } from './db/open.ts'
import type { EventName, Events, Listeners } from './events.ts'
import type { AppCards } from './ports/app-cards.ts'
import type { Clock } from './ports/clock.ts'
import type { Factors } from './ports/factors.ts'
import type { KnownPeople } from './ports/known-people.ts'
import type { LiveSessions } from './ports/live-sessions.ts'
import type { Files } from './ports/media/media.ts'
import type { Pictures } from './ports/media/resize.ts'
import type { Memberships } from './ports/memberships.ts'
import type { Passwords } from './ports/passwords.ts'
import type { PendingRequests } from './ports/pending-requests.ts'
import type { PeopleWith } from './ports/people-with.ts'
import type { Places } from './ports/places.ts'
import type { Realtime } from './ports/realtime/realtime.ts'
import type { Sealing } from './ports/sealing.ts'

/** What a process opens before the house is built. */
export interface World {
  config: Config
  clock: Clock
  passwords: Passwords
  sealing: Sealing
  places: Places
  pictures: Pictures
  /** The files of pictures. */
  media: Files
  /** The files of data requests. */
  archives: Files
  signals: Store['signals']
  realtime: Realtime
  log: FastifyBaseLogger
}

/** The world outside a rule. Passed by hand; there is no container (house.md §1). */
export interface Outside extends World {
  /** What slices need of later ones; `app.ts` binds it from their doors. */
  requests: PendingRequests
  memberships: Memberships
  factors: Factors
  appCards: AppCards
  knownPeople: KnownPeople
  liveSessions: LiveSessions
  peopleWith: PeopleWith
}

/** What a GET may use: a handle on which a write does not compile. */
export interface ReadDeps extends Outside {
  db: ReadDb
}

/** What a changing rule uses: everything it does is one transaction. */
export interface Deps extends Outside {
  db: Db
  /** Runs once the transaction has committed. */
  after(hook: () => void | Promise<void>): void
  /** Tells the listeners of an event, inside this transaction. */
  tell<N extends EventName>(name: N, event: Events[N]): Promise<void>
}

/** For rules that do slow work (password hashing) and must not hold the one writer meanwhile. */
export interface OpenDeps extends ReadDeps {
  transaction<T>(work: (deps: Deps) => Promise<T>): Promise<T>
}

/** Binds the outside world, the store and the listeners into what the fence hands to rules. */
export function bindDeps(outside: Outside, store: Store, listeners: Listeners): OpenDeps {
  return {
    ...outside,
    db: store.read,
    transaction: (work) =>
      store.transaction((tx) => {
        const deps: Deps = {
          ...outside,
          db: tx.db,
          after: tx.after,
          async tell(name, event) {
            for (const listener of listeners[name] ?? []) await listener(deps, event)
          },
        }
        return work(deps)
      }),
  }
}
