import type { Kysely } from 'kysely'

/** Names of TLS client certificates, and tokens bound to them (RFC 8705 §2.1.2, §3.4). */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ['subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email']) {
    await db.schema.alterTable('clients').addColumn(`tls_client_auth_${name}`, 'text').execute()
  }
  await db.schema
    .alterTable('clients')
    .addColumn('tls_client_certificate_bound_access_tokens', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
