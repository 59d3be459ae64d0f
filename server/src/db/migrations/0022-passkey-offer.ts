import type { Kysely } from 'kysely'

/** When a passkey was offered to the user after a sign-in with the password. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('users').addColumn('passkey_offered_at', 'text').execute()
}
