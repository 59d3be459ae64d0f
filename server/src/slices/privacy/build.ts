import { LIFETIMES, type privacy } from '@vrata/contract'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import type { OpenDeps } from '../../deps.ts'
import { newToken } from '../../ports/ids.ts'
import { GiveUp, type JobHandler } from '../../ports/jobs/runner.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { findUser, localeOf, type User } from '../account/door.ts'
import { largestOf } from '../media/door.ts'
import { archiveOf } from './archive.ts'
import type { Parts } from './parts.ts'
import * as store from './store.ts'

/** After so many tries the person is told that it failed, and may ask again. */
const TRIES = 4

/** Makes an archive and tells by mail that it is there. Its file has a name that nobody guesses. */
export function archiveJob(open: OpenDeps, parts: Parts): JobHandler {
  return async (payload, job, signal) => {
    const { id } = payload as { id: string }
    const file = `${newToken()}.zip`
    const begun = await open.transaction(({ db }) => store.updateRunning(db, id, { state: 'building' }))
    const request = begun ? await store.findRequest(open.db, id) : undefined
    const user = request && (await findUser(open.db, request.user_id))
    if (!request || !user) throw new GiveUp('nobody waits for it any more')
    try {
      const bytes = await open.archives.put(file, until(signal, contentOf(open, parts, request, user)))
      if (!(await open.transaction((deps) => hand(deps, request, user, { file, bytes }))))
        await open.archives.remove(file)
    } catch (error) {
      await open.archives.remove(file)
      if (job.attempts < TRIES) throw error
      const ready_until = toTime(open.clock.now())
      await open.transaction(({ db }) => store.updateRunning(db, id, { state: 'failed', ready_until }))
      open.log.error({ err: error, job: job.id }, 'an archive could not be made')
      throw new GiveUp('it could not be made')
    }
  }
}

function contentOf(open: OpenDeps, parts: Parts, request: store.DataRequestRow, user: User) {
  const wanted = fromJson<privacy.ArchivePart[]>(request.parts)
  const picture = wanted.includes('account') ? user.profile_picture : null
  return archiveOf(open.db, open.media, parts, {
    user_id: user.id,
    locale: localeOf(user),
    parts: wanted,
    pictures: new Map(picture ? [['pictures/profile.webp', largestOf(picture)]] : []),
    made_at: open.clock.now(),
  })
}

async function hand(
  deps: Parameters<Parameters<OpenDeps['transaction']>[0]>[0],
  request: store.DataRequestRow,
  user: User,
  made: { file: string; bytes: number },
): Promise<boolean> {
  const ready_until = timeAfter(deps.clock.now(), LIFETIMES.archive)
  if (!(await store.updateRunning(deps.db, request.id, { state: 'ready', ready_until, ...made }))) return false
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'data_ready',
    values: { name: user.first_name, link: `${deps.config.url}/privacy/request-data`, when: ready_until },
    expires_at: ready_until,
  })
  return true
}

async function* until(signal: AbortSignal, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    signal.throwIfAborted()
    yield piece
  }
}

const KEPT = 30 * 24 * 60 * 60

/** Deletes archives whose days are over, and after a month the memory of them; answers how many. */
export async function pruneArchives(open: OpenDeps, most: number): Promise<number> {
  const now = open.clock.now()
  const overdue = await store.listOverdue(open.db, toTime(now), most)
  // First the file: a row that promises one that is gone does no harm.
  for (const { file } of overdue) if (file) await open.archives.remove(file)
  return await open.transaction(async ({ db }) => {
    await store.markExpired(
      db,
      overdue.map(({ id }) => id),
    )
    return overdue.length + (await store.deleteOldRequests(db, timeAfter(now, -KEPT), most))
  })
}
