import type { Db, Hook, Store, Tx } from './db/open.ts'
import { startHooks } from './db/transactions/transactions.ts'
import type { Adapters, AppDeps, TransactionDeps } from './deps.ts'
import type { EventName, Events } from './events.ts'
import type { ExtensionPoints } from './features/extension-points.ts'
import { type Revokers, revoke } from './revocation/revoke.ts'

/** Runs inside the transaction of the event that it listens to; throwing rolls that transaction back. */
export type Listener<N extends EventName> = (deps: TransactionDeps, event: Events[N]) => Promise<void>

/** Listeners by event, called in the order of the list. */
export type Listeners = { [N in EventName]?: Listener<N>[] }

/** Joins the adapters, the extension points, the store, the listeners and the revokers into the dependencies of rules. */
export function bindDeps(
  outer: Adapters & ExtensionPoints,
  store: Store,
  listeners: Listeners,
  revokers: Revokers,
): AppDeps {
  const within = (tx: Tx, beforeCommit: TransactionDeps['beforeCommit']): TransactionDeps => {
    const deps: TransactionDeps = {
      ...outer,
      db: tx.db,
      after: tx.after,
      beforeCommit,
      async emit(name, event) {
        for (const listener of listeners[name] ?? []) await listener(deps, event)
      },
      revoke: (event, subject) => revoke(deps, revokers, event, subject),
    }
    return deps
  }
  return {
    ...outer,
    db: store.read,
    longReads: store.longReads,
    replica: store.replica,
    transaction: (work, options) =>
      store.transaction(async (tx) => {
        const last: (() => Promise<void>)[] = []
        const value = await work(within(tx, (hook) => void last.push(hook)))
        for (const hook of last) await hook()
        return value
      }, options),
    async together(guarded, events) {
      if (!(await store.together(guarded))) return false
      if (events.length === 0) return true
      const hooks: Hook[] = []
      const deps = within({ db: COMMITTED, after: (hook) => void hooks.push(hook) }, refuseWrites)
      const report = (err: unknown) => outer.log.error({ err }, 'after a transaction')
      for (const [name, event] of events) await deps.emit(name, event).catch(report)
      startHooks(hooks, report)
      return true
    },
  }
}

/** The handle of listeners after the commit: they have nothing to write. */
const COMMITTED = new Proxy({} as Db, { get: refuseWrites })

function refuseWrites(): never {
  throw new Error('The transaction has been committed; a listener of this event writes nothing')
}

/** Joins lists of listeners; the listeners of one event run in the order of the lists. */
export function joinListeners(lists: Listeners[]): Listeners {
  const joined: Record<string, unknown[]> = {}
  for (const list of lists)
    for (const [name, listeners] of Object.entries(list)) joined[name] = [...(joined[name] ?? []), ...listeners]
  return joined as Listeners
}
