import { sql } from 'kysely'
import type { Store } from '../../src/db/open.ts'

type Row = Record<string, unknown>
/** All rows, by table and primary key. */
export type Rows = Map<string, Map<string, Row>>
type Table = { name: string; key: string[] }

/** Rows of one statement: one for each of thousands of rows takes seconds. SQLite takes at most 1,000 conditions. */
const DELETED_AT_ONCE = 100

/** Reads and restores all rows of a database. */
export class AllRows {
  readonly #store: Store
  readonly #tables: Table[]

  private constructor(store: Store, tables: Table[]) {
    this.#store = store
    this.#tables = tables
  }

  static async open(store: Store): Promise<AllRows> {
    const columns =
      store.engine === 'sqlite'
        ? sql<{ name: string; key: string }>`
            select m.name, i.name as key from sqlite_master m, pragma_table_info(m.name) i
            where m.type = 'table' and m.name not like 'sqlite_%' and i.pk > 0 order by m.name, i.pk`
        : sql<{ name: string; key: string }>`
            select t.table_name as name, k.column_name as key from information_schema.table_constraints t
            join information_schema.key_column_usage k using (constraint_schema, constraint_name)
            where t.constraint_type = 'PRIMARY KEY' and t.table_schema = 'public'
            order by t.table_name, k.ordinal_position`
    const { rows } = await columns.execute(store.db)
    const keys = Map.groupBy(rows, ({ name }) => name)
    return new AllRows(
      store,
      [...keys].map(([name, list]) => ({ name, key: list.map(({ key }) => key) })),
    )
  }

  async read(): Promise<Rows> {
    const rows = this.#store.engine === 'sqlite' ? await this.#readEach() : await this.#readAtOnce()
    return new Map(
      this.#tables.map(({ name, key }) => {
        const byKey = rows.get(name)?.map((row) => [JSON.stringify(key.map((one) => row[one])), { ...row }] as const)
        return [name, new Map(byKey)] as const
      }),
    )
  }

  async #readEach(): Promise<Map<string, Row[]>> {
    const tables = this.#tables.map(async ({ name }) => {
      const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(this.#store.db)
      return [name, rows] as const
    })
    return new Map(await Promise.all(tables))
  }

  /** On PostgreSQL a statement for each of fifty tables takes longer than their rows. The names are parameters, so that it is prepared. */
  async #readAtOnce(): Promise<Map<string, Row[]>> {
    const tables = this.#tables.map(
      ({ name }) => sql`select ${name} as name, to_json(t) as row from ${sql.table(name)} t`,
    )
    const { rows } = await sql<{ name: string; row: Row }>`${sql.join(tables, sql` union all `)}`.execute(
      this.#store.db,
    )
    const byTable = Map.groupBy(rows, ({ name }) => name)
    return new Map([...byTable].map(([name, list]) => [name, list.map(({ row }) => row)]))
  }

  /** Makes the present rows what they were; foreign keys and their cascades are off meanwhile. */
  async restore(wanted: Rows, present: Rows): Promise<void> {
    await this.#store.transaction(async ({ db }) => {
      const { engine } = this.#store
      await sql
        .raw(engine === 'sqlite' ? 'pragma defer_foreign_keys = on' : 'set local session_replication_role = replica')
        .execute(db)
      for (const { name, key } of this.#tables) {
        const [now, then] = [present.get(name) ?? new Map(), wanted.get(name) ?? new Map()]
        const isRow = (row: Row) =>
          sql.join(
            key.map((one) => sql`${sql.ref(one)} = ${row[one]}`),
            sql` and `,
          )
        const added = [...now].filter(([id]) => !then.has(id)).map(([, row]) => row)
        const [only = '', ...others] = key
        for (let from = 0; from < added.length; from += DELETED_AT_ONCE) {
          const some = added.slice(from, from + DELETED_AT_ONCE)
          const areRows =
            others.length === 0
              ? sql`${sql.ref(only)} in (${sql.join(some.map((row) => row[only]))})`
              : sql.join(some.map(isRow), sql` or `)
          await sql`delete from ${sql.table(name)} where ${areRows}`.execute(db)
        }
        for (const [id, row] of then) {
          const former = now.get(id)
          if (former && JSON.stringify(former) === JSON.stringify(row)) continue
          const columns = Object.keys(row)
          if (former) {
            const set = sql.join(columns.map((one) => sql`${sql.ref(one)} = ${row[one]}`))
            await sql`update ${sql.table(name)} set ${set} where ${isRow(row)}`.execute(db)
          } else {
            const names = sql.join(columns.map((one) => sql.ref(one)))
            const values = sql.join(columns.map((one) => sql`${row[one]}`))
            await sql`insert into ${sql.table(name)} (${names}) values (${values})`.execute(db)
          }
        }
      }
    })
  }
}

/** Rows that were added, removed or changed: each as text. */
export function changesOf(before: Rows, after: Rows, text: (row: Row) => string): string[] {
  const changes: string[] = []
  for (const [table, then] of before) {
    const now = after.get(table) ?? new Map<string, Row>()
    for (const [id, row] of then) if (!now.has(id)) changes.push(`${table} removed ${text(row)}`)
    for (const [id, row] of now) {
      const former = then.get(id)
      if (!former) changes.push(`${table} added ${text(row)}`)
      else if (JSON.stringify(former) !== JSON.stringify(row)) changes.push(`${table} changed ${text(row)}`)
    }
  }
  return changes.sort()
}
