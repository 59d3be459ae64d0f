import type { Kysely } from 'kysely'

/** Decisions of operators about organizations and apps, and the folded name by which they find organizations. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  const organization = () => schema.alterTable('developers')
  await organization()
    .addColumn('enabled', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
  await organization()
    .addColumn('verified', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await organization().addColumn('limits', 'text').execute()
  await organization()
    .addColumn('search', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
  const app = () => schema.alterTable('clients')
  await app()
    .addColumn('verified', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await app()
    .addColumn('trusted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await app().addColumn('disabled_by', 'text').execute()
  await fillSearch(db as unknown as Kysely<Tables>)
}

type Tables = { developers: { id: string; name: string; search: string } }

/** Organizations are few, so one at a time. */
async function fillSearch(db: Kysely<Tables>): Promise<void> {
  for (const { id, name } of await db.selectFrom('developers').select(['id', 'name']).execute())
    await db
      .updateTable('developers')
      .set({ search: searchOf(name) })
      .where('id', '=', id)
      .execute()
}

/** Copy of `folded` at the time of this migration. */
function searchOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('đ', 'd')
}
