import { LIFETIMES, paths, type privacy } from '@vrata/contract'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import { GiveUp, type JobHandler } from '../../adapters/jobs/runner.ts'
import { queueMail } from '../../adapters/mail/mail.ts'
import { removeEach } from '../../adapters/media/remove-each.ts'
import { fromJson, timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { newToken } from '../../lib/ids.ts'
import { findUser, greetingName, localeOf, type User } from '../account/public.ts'
import { largestFileName } from '../media/public.ts'
import { createArchive } from './archive.ts'
import type { Exporters } from './exporters.ts'
import * as store from './store.ts'

/** Attempts after which the request has failed and the user may request again. */
const MAX_ATTEMPTS = 4

/** Creates an archive under a random file name and mails the user (api §3.9). */
export function archiveJob(app: AppDeps, parts: Exporters): JobHandler {
  return async (payload, job, signal) => {
    const { id } = payload as { id: string }
    const file = `${newToken()}.zip`
    const request = await store.findRequest(app.db, id)
    // The process of the attempt that has made it was killed before its job was marked.
    if (request?.state === 'ready') return
    const begun = await app.transaction((deps) => beginFile(deps, id, file))
    const user = begun && request ? await findUser(app.db, request.user_id) : undefined
    if (!request || !user) throw new GiveUp('the request or its user was deleted')
    try {
      const bytes = await app.archives.put(file, abortable(signal, contentOf(app, parts, request, user)))
      await app.transaction((deps) => completeRequest(deps, request, { file, bytes }))
    } catch (error) {
      // The connection may have broken after the commit (decision 0035).
      const now = await store.findRequest(app.db, id)
      if (now?.state === 'ready' && now.file === file) return
      await app.archives.remove(file)
      if (isCutOff(signal) || job.attempts < MAX_ATTEMPTS) throw error
      const ready_until = toTime(app.clock.now())
      await app.transaction(({ db }) => store.updateRunning(db, id, { state: 'failed', ready_until, file: null }, file))
      app.log.error({ err: error, job: job.id }, 'creating an archive failed')
      throw new GiveUp('the archive could not be created')
    }
  }
}

/** The job that removes the file of an archive which no request names any more; repeated while the store of archives does not answer. */
export const REMOVE_ARCHIVE_JOB = 'remove_archive'

type RemoveArchive = { file: string }

export function removeArchiveJob({ archives }: Pick<AppDeps, 'archives'>): JobHandler {
  return async (payload) => await archives.remove((payload as RemoveArchive).file)
}

/** Removes the file of an archive after the commit. */
export async function removeArchive(deps: TransactionDeps, file: string): Promise<void> {
  await enqueue(deps, REMOVE_ARCHIVE_JOB, { file } satisfies RemoveArchive)
}

/** Whether this server ends or another one has taken the job over, which does not count as a failure; an attempt that takes too long does. */
function isCutOff({ aborted, reason }: AbortSignal): boolean {
  return aborted && (reason as Error).name !== 'TimeoutError'
}

function contentOf(app: AppDeps, parts: Exporters, request: store.DataRequestRow, user: User) {
  const wanted = fromJson<privacy.ArchivePart[]>(request.parts)
  const picture = wanted.includes('account') ? user.profile_picture : null
  return createArchive(app.db, app.media, parts, {
    user_id: user.id,
    locale: localeOf(user),
    name: app.branding.now().name,
    parts: wanted,
    pictures: new Map(picture ? [['pictures/profile.webp', largestFileName(picture)]] : []),
    made_at: app.clock.now(),
  })
}

/** Before the file exists, so that the next attempt, or the deletion of the account, finds it. Returns false for a request that has ended. */
async function beginFile(deps: TransactionDeps, id: string, file: string): Promise<boolean> {
  const before = await store.findRequest(deps.db, id)
  if (!(await store.updateRunning(deps.db, id, { state: 'building', file }))) return false
  // An attempt whose process was killed has left it. One that goes on, after its job was taken over, completes nothing any more.
  if (before?.file) await removeArchive(deps, before.file)
  return true
}

async function completeRequest(
  deps: TransactionDeps,
  request: store.DataRequestRow,
  made: { file: string; bytes: number },
): Promise<void> {
  const ready_until = timeAfter(deps.clock.now(), LIFETIMES.archive)
  // The account was deleted, the request given up, or another attempt begun, before the file was complete.
  if (!(await store.updateRunning(deps.db, request.id, { state: 'ready', ready_until, ...made }, made.file)))
    return await removeArchive(deps, made.file)
  // The address may be another one than when the archive was begun.
  const user = await findUser(deps.db, request.user_id)
  if (!user) return
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'data_ready',
    values: { name: greetingName(user), link: `${deps.config.url}${paths.requestData}`, when: ready_until },
    expires_at: ready_until,
  })
}

async function* abortable(signal: AbortSignal, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    signal.throwIfAborted()
    yield piece
  }
}

/** Seconds after which a request that is still in progress has failed: a job fails for good a day after its first attempt (decision 0049). */
const GIVEN_UP = 2 * 24 * 60 * 60
const RETENTION = 30 * 24 * 60 * 60

/**
 * Deletes expired archives, and their rows after a month; gives up requests whose job has. Returns how many; throws when one of the files could not be
 * removed.
 */
export async function pruneArchives(app: AppDeps, limit: number): Promise<number> {
  const now = app.clock.now()
  const given_up = await giveUpRequests(app, limit)
  const overdue = await store.listExpiredRequests(app.db, toTime(now), limit)
  // Files first: a row without its file does no harm.
  const { removed, failures } = await removeEach(overdue, async ({ file }) => {
    if (file) await app.archives.remove(file)
  })
  const deleted = await app.transaction(async ({ db }) => {
    await store.updateExpired(
      db,
      removed.map(({ id }) => id),
    )
    return await store.deleteOldRequests(db, timeAfter(now, -RETENTION), limit)
  })
  if (failures.length > 0) throw failures[0]
  return given_up + removed.length + deleted
}

/** Lets requests whose job has failed for good, or is gone, fail visibly: while one is in progress the user cannot make another one. */
async function giveUpRequests(app: AppDeps, limit: number): Promise<number> {
  const now = app.clock.now()
  const old = await store.listOldRunning(app.db, timeAfter(now, -GIVEN_UP), limit)
  for (const { id, file } of old) {
    const failed = { state: 'failed', ready_until: toTime(now), file: null } as const
    await app.transaction(async (deps) => {
      // An attempt that completes it at this moment keeps its file; a later one removes it itself.
      if ((await store.updateRunning(deps.db, id, failed)) && file) await removeArchive(deps, file)
    })
  }
  return old.length
}
