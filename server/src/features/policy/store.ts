import type { policy } from '@vrata/contract'
import type { ExpressionBuilder } from 'kysely'
import type { ReadDb } from '../../db/open.ts'
import type { Database } from '../../db/schema.ts'

type Ways = Pick<policy.Policy, 'password_sign_in' | 'passkey_sign_in'>

/** Counts people whose account is not disabled, and those of them who have one of the ways to sign in `before` and none of those `after`. */
export async function countLockedOut(
  db: ReadDb,
  { before, after }: Record<'before' | 'after', Ways>,
): Promise<{ people: number; locked_out: number }> {
  const enabled = () => db.selectFrom('users').where('disabled_at', 'is', null)
  const count = async (query: ReturnType<typeof enabled>) => {
    const row = await query.select((e) => e.fn.countAll().as('n')).executeTakeFirst()
    return Number(row?.n ?? 0)
  }
  const able = (e: ExpressionBuilder<Database, 'users'>, ways: Ways) =>
    e.or([
      ...(ways.password_sign_in ? [e('password_hash', 'is not', null)] : []),
      ...(ways.passkey_sign_in
        ? [e.exists(e.selectFrom('passkeys').select('id').whereRef('passkeys.user_id', '=', 'users.id'))]
        : []),
    ])
  const lockedOut = enabled().where((e) => e.and([able(e, before), e.not(able(e, after))]))
  return { people: await count(enabled()), locked_out: await count(lockedOut) }
}

/** Counts people whose account is not disabled and who lack a second factor that the rule requires of them. */
export async function countWithoutFactor(
  db: ReadDb,
  rule: policy.Policy['second_factor'],
  passkeysCount: boolean,
): Promise<number> {
  if (rule === 'optional') return 0
  let query = db
    .selectFrom('users')
    .where('disabled_at', 'is', null)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('otp_seeds')
            .select('user_id')
            .whereRef('otp_seeds.user_id', '=', 'users.id')
            .where('enabled_at', 'is not', null),
        ),
      ),
    )
  if (passkeysCount)
    query = query.where((e) =>
      e.not(e.exists(e.selectFrom('passkeys').select('id').whereRef('passkeys.user_id', '=', 'users.id'))),
    )
  if (rule === 'developers')
    query = query.where((e) =>
      e.exists(e.selectFrom('members').select('id').whereRef('members.user_id', '=', 'users.id')),
    )
  const row = await query.select((e) => e.fn.countAll().as('n')).executeTakeFirst()
  return Number(row?.n ?? 0)
}
