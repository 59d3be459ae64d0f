import { type CompiledQuery, createQueryId, RawNode } from 'kysely'
import type { ReadDb } from './handle.ts'

/** A prepared query with its parameters. */
export interface Statement {
  /** The same for every call of the same query. */
  readonly id: string
  compiled(db: ReadDb): CompiledQuery
}

/**
 * A statement that locks, changes or compares one row and returns `holds` (`missing`: whether it holds when there is no row); or one that returns nothing
 * and holds when it changes a row, because SQLite collects returned rows in a temporary table.
 */
export type Guard = { statement: Statement; missing: boolean } | { statement: Statement; changes: true }

/** Statements that are one transaction: nothing is written unless all guards hold. */
export interface GuardedWrites {
  /** In lock order (decision 0012). */
  guards: readonly Guard[]
  /** Statements without an answer. None reads what another one writes. */
  writes: readonly Statement[]
}

const texts = new Map<string, string>()

/**
 * The one statement that runs guarded writes on PostgreSQL, so that it costs one round trip (decision 0097). A guard that does not hold divides
 * by zero, which undoes the statement. All parts see the rows from before, but a guard that waits for a lock sees the row as it is then.
 */
export function asOneStatement(db: ReadDb, { guards, writes }: GuardedWrites): CompiledQuery {
  // PostgreSQL runs the writes that nothing reads from the last to the first.
  const statements = [...guards.map(({ statement }) => statement), ...writes.toReversed()]
  const parts = statements.map((statement) => statement.compiled(db))
  const key = `${guards.map(kindOf).join('')} ${statements.map(({ id }) => id).join()}`
  let text = texts.get(key)
  if (text === undefined) {
    text = textOf(parts, guards.map(kindOf))
    texts.set(key, text)
  }
  return {
    query: RawNode.createWithSql(text),
    queryId: createQueryId(),
    sql: text,
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}

/** Whether a guard holds when there is no row; `changed`: it returns nothing. */
function kindOf(guard: Guard): boolean | 'changed' {
  return 'changes' in guard ? 'changed' : guard.missing
}

function textOf(parts: readonly CompiledQuery[], kinds: readonly (boolean | 'changed')[]): string {
  let count = 0
  const named = parts.map(({ sql, parameters }, i) => {
    const before = count
    count += parameters.length
    const returning = kinds[i] === 'changed' ? ' returning true as holds' : ''
    return `part_${i} as (${sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`)}${returning})`
  })
  const holds = kinds.map((kind, i) => `coalesce((select holds from part_${i}), ${kind === true})`)
  return `with ${named.join(', ')} select 1 / (case when ${holds.join(' and ') || 'true'} then 1 else 0 end) as done`
}
