import type { ReadDb } from '../../db/open.ts'
import { prepare } from '../../db/prepare.ts'
import type { FactorsOf } from '../../ports/factors.ts'

const factors = prepare((db, { user_id }: { user_id: string }) =>
  db.selectNoFrom((e) => [
    e.selectFrom('otp_seeds').select('enabled_at').where('user_id', '=', user_id).as('otp_enabled_at'),
    e
      .selectFrom('recovery_codes')
      .select((c) => c.fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .$asScalar()
      .$notNull()
      .as('recovery_codes_left'),
    e
      .selectFrom('passkeys')
      .select((c) => c.fn.countAll<number>().as('count'))
      .where('user_id', '=', user_id)
      .$asScalar()
      .$notNull()
      .as('passkeys'),
  ]),
)

/** Implements the account's port: what user info tells of second factors, in one read. */
export async function factorsOf(db: ReadDb, user_id: string): Promise<FactorsOf> {
  const [found] = await factors.rows(db, { user_id })
  if (!found) throw new Error('A select without a table answers one row')
  return found
}
