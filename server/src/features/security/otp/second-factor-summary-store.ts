import { prepare } from '../../../db/compiled-queries/prepare.ts'
import type { ReadDb } from '../../../db/open.ts'
import type { SecondFactorSummary } from '../../extension-points.ts'

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

/** Implements the extension point `SecondFactors`, in one read. */
export async function findSecondFactors(db: ReadDb, user_id: string): Promise<SecondFactorSummary> {
  const [found] = await factors.rows(db, { user_id })
  if (!found) throw new Error('A select without a table answers one row')
  return found
}
