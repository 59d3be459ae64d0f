import { type Kysely, sql } from 'kysely'
import { bytewise } from '../dialect.ts'

/** Why an account is disabled, and words by which operators find people. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  await schema.alterTable('users').addColumn('disabled_reason', 'text').execute()
  await schema
    .createTable('account_terms')
    .addColumn('term', bytewise(db), (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('account_terms_pk', ['term', 'user_id'])
    .execute()
  await schema.createIndex('account_terms_user').on('account_terms').column('user_id').execute()
  // For the list of the few people in this state.
  await sql`create index users_disabled on users (id) where disabled_at is not null`.execute(db)
  await fillTerms(db as unknown as Kysely<Tables>)
}

type Tables = {
  users: { id: string; first_name: string; last_name: string; username: string | null; email: string }
  account_terms: { term: string; user_id: string }
}

/** Users of one round. */
const BATCH = 500

async function fillTerms(db: Kysely<Tables>): Promise<void> {
  let after = ''
  for (;;) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'first_name', 'last_name', 'username', 'email'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const rows = users.flatMap(({ id: user_id, ...user }) => termsOf(user).map((term) => ({ term, user_id })))
    for (let from = 0; from < rows.length; from += BATCH)
      await db
        .insertInto('account_terms')
        .values(rows.slice(from, from + BATCH))
        .execute()
    const last = users.at(-1)
    if (!last || users.length < BATCH) return
    after = last.id
  }
}

/** Copy of `accountTerms` of the feature account at the time of this migration. */
function termsOf({ first_name, last_name, username, email }: Omit<Tables['users'], 'id'>): string[] {
  const folded = [first_name, last_name, username ?? '', email, ...email.split(/[^\p{L}\p{N}]+/u), email.split('@')[1]]
    .join('\n')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('đ', 'd')
  return [...new Set(folded.split(/\s+/).filter(Boolean))]
}
