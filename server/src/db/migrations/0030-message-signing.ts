import type { Kysely } from 'kysely'

/** Signed messages: required request objects (RFC 9101), and the algorithms of signed responses (JARM, userinfo, RFC 9701). */
export async function up(db: Kysely<never>): Promise<void> {
  const clients = () => db.schema.alterTable('clients')
  await clients()
    .addColumn('require_signed_request_object', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  for (const response of ['authorization', 'userinfo', 'introspection']) {
    await clients().addColumn(`${response}_signed_response_alg`, 'text').execute()
  }
}
