import { TABLES } from '../../server/src/db/schema.ts'

/** Runs a statement on the database of the server. */
export type Run = (sql: string) => Promise<Record<string, unknown>[]>

/** Rows of each table at one time. */
export type Rows = Record<string, number>

/**
 * Tables without a time of expiry that may grow: those that keep what happened, each for its own time (an entry for each code, and an event for each
 * that is sent twice), and one whose rows are deleted with their session.
 */
const GROWING = ['activities', 'audit_events', 'session_clients']
/** Rows that the first pruning, ten to twenty minutes after the start, adds: the setting that says which accounts have all search terms. */
const ADDED_ONCE: Record<string, number> = { settings: 1 }

/** Minutes after which an expired row must be gone: they are deleted every ten to twenty minutes (`prune.ts`). */
const OVERDUE = 25
/** Mailed links are counted for an hour after they have expired (decision 0049). */
const KEPT: Record<string, number> = { one_time_tokens: 60 }

export async function countRows(run: Run): Promise<Rows> {
  const counts: Rows = {}
  for (const table of Object.keys(TABLES)) counts[table] = await countOf(run, table)
  return counts
}

/** Rows of the tables with a time of expiry that should have been deleted by now. */
export async function overdueRows(run: Run, now: Date): Promise<Rows> {
  const counts: Rows = {}
  for (const table of Object.keys(TABLES)) {
    const before = new Date(now.getTime() - overdueAfter(table) * 60_000).toISOString()
    if (await expires(run, table)) counts[table] = await countOf(run, table, `where expires_at < '${before}'`)
  }
  return counts
}

/**
 * One sentence for each table that grows. A table whose rows expire may grow until they do, and may then have none that is overdue; the
 * load adds nothing to the others but those of `GROWING` and `ADDED_ONCE`.
 */
export function judgeRows(from: Rows, to: Rows, overdue: Rows): string[] {
  return Object.entries(to).flatMap(([table, rows]) => {
    if (overdue[table] !== undefined)
      return overdue[table] > 0
        ? [`${table}: ${overdue[table]} rows expired more than ${overdueAfter(table)} minutes ago`]
        : []
    return !GROWING.includes(table) && rows > (from[table] ?? 0) + (ADDED_ONCE[table] ?? 0)
      ? [`${table}: from ${from[table] ?? 0} to ${rows} rows`]
      : []
  })
}

/** The tables whose number of rows has changed, such as `tokens 12 → 40`. */
export function changesOf(from: Rows, to: Rows): string {
  const changed = Object.keys(to).filter((table) => from[table] !== to[table])
  return changed.map((table) => `${table} ${from[table]} → ${to[table]}`).join(', ') || 'none'
}

function overdueAfter(table: string): number {
  return OVERDUE + (KEPT[table] ?? 0)
}

async function countOf(run: Run, table: string, where = ''): Promise<number> {
  return Number((await run(`select count(*) as count from ${table} ${where}`))[0]?.count)
}

async function expires(run: Run, table: string): Promise<boolean> {
  return await run(`select expires_at from ${table} limit 1`).then(
    () => true,
    () => false,
  )
}
