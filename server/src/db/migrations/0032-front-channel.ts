import type { Kysely } from 'kysely'

/** Third-party initiated login, front-channel logout and terms of service of clients. */
export async function up(db: Kysely<never>): Promise<void> {
  const clients = () => db.schema.alterTable('clients')
  for (const column of ['initiate_login_uri', 'frontchannel_logout_uri', 'terms_of_service_url']) {
    await clients().addColumn(column, 'text').execute()
  }
  await clients()
    .addColumn('frontchannel_logout_session_required', 'integer', (c) => c.notNull().defaultTo(1))
    .execute()
}
