import { toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import { deleteUser, lockUser } from '../account/door.ts'
import { partFrom } from '../developers/door.ts'
import { replacePicture } from '../media/door.ts'
import { forgetGuesses } from '../security/door.ts'
import * as store from './store.ts'

/**
 * Deletes the accounts whose fourteen days are over; answers how many. It looks at `most` at a time. One that cannot be
 * deleted is told of, left for the next round, and holds up nobody.
 */
export async function carryOutDeletions(open: OpenDeps, most: number): Promise<number> {
  const now = toTime(open.clock.now())
  let done = 0
  let due: string[] = []
  do {
    due = await store.listDue(open.db, now, { after: due.at(-1) ?? '', most })
    for (const user_id of due) {
      const one = open.transaction((deps) => carryOut(deps, user_id))
      done += await one.then(
        () => 1,
        (err) => {
          open.log.error({ err, user_id }, 'an account could not be deleted')
          return 0
        },
      )
    }
  } while (due.length === most)
  return done
}

async function carryOut(deps: Deps, user_id: string): Promise<void> {
  // A sign-in at the last moment locks the person first, too: one of the two finds that the other was there.
  const user = await lockUser(deps.db, user_id)
  if (!user || !(await store.lockDue(deps.db, user_id, toTime(deps.clock.now())))) return
  await partFrom(deps, user_id)
  await replacePicture(deps, user.profile_picture, null)
  // Archives are made for people who are signed in and live seven days, so there are none; if there is one, it goes.
  for (const { file } of await store.listRequests(deps.db, user_id, 100)) {
    if (file) deps.after(() => deps.archives.remove(file))
  }
  await forgetGuesses(deps.db, user_id)
  await deleteUser(deps.db, user_id)
  deps.log.info({ user_id }, 'an account was deleted')
}
