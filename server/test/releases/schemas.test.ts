import { globSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { fillDatabase } from '../../src/db/copy/fill.ts'
import type { Target } from '../../src/db/copy/target.ts'
import { openDatabase, type Store } from '../../src/db/open.ts'
import { emptyDatabase, testEngine } from '../databases/template-db.ts'

// A released migration that makes another schema than it has made would leave installations with the former one.
test.each(globSync('*.backup', { cwd: import.meta.dirname }))(
  'the migrations of %s still make the schema of that release (security §20.16)',
  async (file) => {
    const { database } = await verifyBackup(join(import.meta.dirname, file))
    const schema = file.replace(/backup$/, `${testEngine}.schema`)
    for (const isLoaded of [false, true]) {
      const lines = await schemaAfter(async (target) => {
        await target.migrate(database.migrations)
        // Loading drops keys, indexes and references, and makes them again.
        if (isLoaded) await target.prepare()
        if (isLoaded) await target.finish()
      })
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, schema))
    }
  },
)

async function schemaAfter(work: (target: Target) => Promise<void>): Promise<string[]> {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  await fillDatabase(place, work)
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  return await schemaOf(store)
}

async function schemaOf({ db }: Store): Promise<string[]> {
  const query = testEngine === 'sqlite' ? OF_SQLITE : OF_POSTGRES
  const { rows } = await sql.raw<{ line: string }>(query).execute(db)
  return rows.map(({ line }) => line.replace(/\s+/g, ' ')).sort()
}

const OF_SQLITE = `select sql as line from sqlite_master where sql is not null`

const OF_POSTGRES = `
  select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), collname,
    case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid)) as line
  from pg_attribute
    join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_collation on pg_collation.oid = attcollation and collname <> 'default'
  where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
  union all
  select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
  union all
  select indexdef from pg_indexes where schemaname = current_schema()
  union all
  select concat_ws(' ', oid::regclass, array_to_string(reloptions, ' '))
  from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`
