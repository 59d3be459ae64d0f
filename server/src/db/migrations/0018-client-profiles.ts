import type { Kysely } from 'kysely'

/** Claims of ID tokens, the security profile, and the registered algorithms of client assertions and request objects. */
export async function up(db: Kysely<never>): Promise<void> {
  const clients = () => db.schema.alterTable('clients')
  for (const [column, value] of [
    ['id_token_claims', 'scopes'],
    ['security_profile', 'standard'],
  ] as const) {
    await clients()
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(value))
      .execute()
  }
  for (const column of ['token_endpoint_auth_signing_alg', 'request_object_signing_alg']) {
    await clients().addColumn(column, 'text').execute()
  }
}
