import { type Kysely, sql } from 'kysely'

/** Keys of EdDSA stay published where an app has chosen it already. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    insert into settings (key, value)
    select 'eddsa_in_use', 'true'
    where exists (
      select 1 from clients
      where id_token_signed_response_alg = 'EdDSA'
        or authorization_signed_response_alg = 'EdDSA'
        or userinfo_signed_response_alg = 'EdDSA'
        or introspection_signed_response_alg = 'EdDSA'
    )
  `.execute(db)
}
