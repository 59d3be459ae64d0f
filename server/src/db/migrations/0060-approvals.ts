import type { Kysely } from 'kysely'

/** Organizations and apps that wait for the approval of an operator. The indexes hold only these. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  for (const table of ['developers', 'clients'] as const) {
    for (const column of ['approval', 'approval_reason', 'approval_asked_at'])
      await schema.alterTable(table).addColumn(column, 'text').execute()
    await schema
      .createIndex(`${table}_approval`)
      .on(table)
      .column('approval')
      .where('approval' as never, 'is not', null)
      .execute()
  }
}
