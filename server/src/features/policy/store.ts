import type { ReadDb } from '../../db/open.ts'

/** Counts people whose account is not disabled, and those of them who have one of the ways to sign in. */
export async function countUsersBySignIn(
  db: ReadDb,
  ways: { password: boolean; passkey: boolean },
): Promise<{ people: number; able: number }> {
  const enabled = () => db.selectFrom('users').where('disabled_at', 'is', null)
  const count = async (query: ReturnType<typeof enabled>) => {
    const row = await query.select((e) => e.fn.countAll().as('n')).executeTakeFirst()
    return Number(row?.n ?? 0)
  }
  const able = enabled().where((e) =>
    e.or([
      ...(ways.password ? [e('password_hash', 'is not', null)] : []),
      ...(ways.passkey
        ? [e.exists(e.selectFrom('passkeys').select('id').whereRef('passkeys.user_id', '=', 'users.id'))]
        : []),
    ]),
  )
  return { people: await count(enabled()), able: ways.password || ways.passkey ? await count(able) : 0 }
}
