import type { NextStep } from '@vrata/contract'
import type { Db } from '../../db/open.ts'

/** Replaces the next step of those sessions of a user that wait for `from`. */
export async function updateNextSteps(db: Db, user_id: string, from: NextStep, to: NextStep | null): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ next_step: to })
    .where('user_id', '=', user_id)
    .where('next_step', '=', from)
    .where('ended_at', 'is', null)
    .execute()
}

/** Lets a session go on that waits for `step`. */
export async function clearNextStep(db: Db, id: string, step: NextStep): Promise<void> {
  await db.updateTable('sessions').set({ next_step: null }).where('id', '=', id).where('next_step', '=', step).execute()
}
