import { type Kysely, sql } from 'kysely'

/** For the list of failed mails, which are few among many jobs. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index jobs_failed on jobs (id) where failed_at is not null`.execute(db)
}
