import type { Kysely } from 'kysely'

/** The span that has queued a job, to which that of the job has a link. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('traceparent', 'text').execute()
}
