import type { Kysely } from 'kysely'

/** Second factors: authenticator apps, recovery codes, passkeys; and sign-ins that wait for one. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db

  await schema
    .createTable('otp_seeds')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('sealed_seed', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('enabled_at', 'text')
    .addColumn('last_step', 'integer', (c) => c.notNull())
    .execute()

  await schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash'])
    .execute()

  await schema
    .createTable('otp_tries')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('in_a_row', 'integer', (c) => c.notNull())
    .addColumn('within_hour', 'integer', (c) => c.notNull())
    .addColumn('hour_until', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('otp_tries_age').on('otp_tries').column('hour_until').execute()

  await schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'text', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('aaguid', 'text', (c) => c.notNull())
    .addColumn('synced', 'integer', (c) => c.notNull())
    .addColumn('backed_up', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await schema.createIndex('passkeys_of_user').on('passkeys').columns(['user_id', 'id']).execute()

  await schema
    .createTable('passkey_challenges')
    .addColumn('challenge_hash', 'text', (c) => c.primaryKey())
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('browser_hash', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('passkey_challenges_expiry').on('passkey_challenges').column('expires_at').execute()

  await schema
    .createTable('pending_sign_ins')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('browser_hash', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await schema.createIndex('pending_sign_ins_of_user').on('pending_sign_ins').column('user_id').execute()
  await schema.createIndex('pending_sign_ins_expiry').on('pending_sign_ins').column('expires_at').execute()
}
