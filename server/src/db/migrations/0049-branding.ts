import type { Kysely } from 'kysely'

/** Name, colors, pictures, texts and languages of the installation: at most one row. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('branding')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('name', 'text')
    .addColumn('accent', 'text')
    .addColumn('logo', 'text')
    .addColumn('logo_dark', 'text')
    .addColumn('icon', 'text')
    .addColumn('support_url', 'text')
    .addColumn('imprint_url', 'text')
    .addColumn('mail_from_name', 'text')
    .addColumn('mail_footer', 'text', (c) => c.notNull())
    .addColumn('sign_in_text', 'text', (c) => c.notNull())
    .addColumn('languages', 'text', (c) => c.notNull())
    .addColumn('default_language', 'text', (c) => c.notNull())
    .execute()
}
