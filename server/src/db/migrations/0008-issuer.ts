import type { Kysely } from 'kysely'

/** How apps prove who they are and what they are given; devices that wait for a person. */
export async function up(db: Kysely<never>): Promise<void> {
  const clients = () => db.schema.alterTable('clients')
  for (const column of ['jwks', 'jwks_uri', 'backchannel_logout_uri']) {
    await clients().addColumn(column, 'text').execute()
  }
  for (const [column, value] of [
    ['id_token_signed_response_alg', 'ES256'],
    ['access_token_format', 'opaque'],
  ] as const) {
    await clients()
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(value))
      .execute()
  }
  for (const column of ['dpop_bound_access_tokens', 'require_pushed_authorization_requests', 'require_nonce']) {
    await clients()
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  }

  for (const column of ['user_code_hash', 'asked_at']) {
    await db.schema.alterTable('oidc_temp').addColumn(column, 'text').execute()
  }
  await db.schema.createIndex('oidc_temp_user_code').on('oidc_temp').column('user_code_hash').unique().execute()
}
