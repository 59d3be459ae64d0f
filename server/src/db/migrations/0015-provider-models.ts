import { type Kysely, sql } from 'kysely'

/**
 * The table of provider models (interactions, pushed requests, device codes, replay detection) is named after what it
 * stores. Migrations only add within a major version, so that the previous version still works on the new schema
 * (security §20.16): `oidc_temp` stays, empty, and is dropped in the next major version. Interactions are not copied,
 * because their payload has another form now; the page of such a request says that it has expired.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('provider_models')
    .addColumn('id_hash', 'text', (c) => c.primaryKey())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text')
    .addColumn('decision', 'text')
    .addColumn('user_code_hash', 'text')
    .addColumn('asked_at', 'text')
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('provider_models_expires_at').on('provider_models').column('expires_at').execute()
  await schema
    .createIndex('provider_models_user_code_hash')
    .on('provider_models')
    .column('user_code_hash')
    .unique()
    .execute()

  const columns = sql.join(
    [
      'id_hash',
      'model',
      'session_id',
      'decision',
      'user_code_hash',
      'asked_at',
      'payload',
      'created_at',
      'expires_at',
    ].map((column) => sql.ref(column)),
  )
  await sql`insert into provider_models (${columns}) select ${columns} from oidc_temp
    where model <> 'Interaction'`.execute(db)
  await sql`delete from oidc_temp`.execute(db)
}
