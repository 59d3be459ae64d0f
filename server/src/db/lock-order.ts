import {
  AliasNode,
  DeleteQueryNode,
  InsertQueryNode,
  type OperationNode,
  SelectModifierNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
} from 'kysely'
import type { Database } from './schema.ts'

/**
 * The order in which a transaction locks rows exclusively (update, delete, `for update`, `for no key update`), so that two
 * transactions cannot wait for each other (decision 0012). A table that is not listed may be locked at any point. Shared
 * locks are not checked: `for key share` conflicts with the deletion of the row only, and `for share` of a session with its
 * end only, which locks no row of an earlier table afterwards.
 */
const LOCK_ORDER = [
  'users',
  'developers',
  'members',
  'sessions',
  'developer_users',
  'connections',
  'tokens',
  'clients',
] as const satisfies readonly (keyof Database)[]

type OrderedTable = (typeof LOCK_ORDER)[number]

/** Transactions that still lock in another order: pairs of the table locked first and the tables locked after it. */
const EXCEPTIONS: Partial<Record<OrderedTable, readonly OrderedTable[]>> = {
  // Changing, disabling and deleting a client lock the client before its connections and tokens. A token request that holds
  // a connection and records the first sign-in or the last use of the secret can deadlock with it.
  // Deleting an account with a developer account of its own ends the sessions of that account last.
  clients: ['developer_users', 'connections', 'tokens', 'sessions'],
  // A scheduled deletion of an account unlinks its clients before it ends its sessions. A request that holds a session, consumes no
  // token and waits for the connection can deadlock with it.
  developer_users: ['sessions'],
  // Deleting a client looks a second time for users, once it has waited for those who consent at the moment.
  connections: ['sessions', 'developer_users'],
  tokens: ['sessions'],
}

/** Asserts `LOCK_ORDER` for the statements of one transaction. Used by tests; PostgreSQL itself resolves deadlocks. */
export class LockOrderCheck {
  readonly #locked: OrderedTable[] = []
  readonly #inserted = new Set<string>()

  /** Throws when the statement locks a table that precedes one which is locked already. */
  check(query: OperationNode): void {
    const { locked, inserted } = locksOf(query)
    for (const table of inserted) this.#inserted.add(table)
    for (const table of locked) if (isOrdered(table)) this.#lock(table)
  }

  #lock(table: OrderedTable): void {
    // A transaction does not wait for a row that it has locked or inserted itself.
    if (this.#locked.includes(table) || this.#inserted.has(table)) return
    const later = this.#locked.find(
      (locked) => LOCK_ORDER.indexOf(locked) > LOCK_ORDER.indexOf(table) && !EXCEPTIONS[locked]?.includes(table),
    )
    if (later) throw new LockOrderViolation(later, table)
    this.#locked.push(table)
  }
}

class LockOrderViolation extends Error {
  override name = 'LockOrderViolation'
  constructor(locked: string, next: string) {
    super(`A transaction locks ${next} after ${locked}; the order of db/lock-order.ts is ${LOCK_ORDER.join(', ')}`)
  }
}

function isOrdered(table: string): table is OrderedTable {
  return (LOCK_ORDER as readonly string[]).includes(table)
}

/** Tables of which a statement locks rows exclusively, and tables into which it only inserts. */
function locksOf(node: OperationNode): { locked: string[]; inserted: string[] } {
  if (UpdateQueryNode.is(node)) return { locked: node.table ? namesOf(node.table) : [], inserted: [] }
  if (DeleteQueryNode.is(node)) return { locked: node.from.froms.flatMap(namesOf), inserted: [] }
  if (InsertQueryNode.is(node)) {
    const names = node.into ? namesOf(node.into) : []
    return node.onConflict?.updates ? { locked: names, inserted: [] } : { locked: [], inserted: names }
  }
  const lock = SelectQueryNode.is(node) && node.endModifiers?.find(isExclusive)
  if (!lock) return { locked: [], inserted: [] }
  const tables = lock.of ?? [...(node.from?.froms ?? []), ...(node.joins ?? []).map(({ table }) => table)]
  return { locked: tables.flatMap(namesOf), inserted: [] }
}

function isExclusive(node: OperationNode): node is SelectModifierNode {
  return SelectModifierNode.is(node) && (node.modifier === 'ForUpdate' || node.modifier === 'ForNoKeyUpdate')
}

function namesOf(node: OperationNode): string[] {
  if (AliasNode.is(node)) return namesOf(node.node)
  return TableNode.is(node) ? [node.table.identifier.name] : []
}
