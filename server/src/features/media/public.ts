import { buffer } from 'node:stream/consumers'
import { LIMITS, problem, type Upload } from '@vrata/contract'
import { PICTURE_SIZES } from '@vrata/contract/media'
import { removeEach } from '../../adapters/media/remove-each.ts'
import type { Framing } from '../../adapters/media/resize.ts'
import type { ReadDb } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { newPictureName } from '../../lib/ids.ts'
import { fileName } from './file-names.ts'
import * as store from './store.ts'

const HOUR = 60 * 60
/** Pictures per query. */
const STEP = 1000

/** An uploaded picture. */
export interface PictureUpload {
  /** Null for a command, whose uploads are not counted. */
  user_id: string | null
  upload: Upload
  /** SHA-256 of what is sent, where it is compared later. */
  source_hash?: string
  /** Name of the form field, for problems. */
  field: string
  framing: Framing
}

/**
 * Counts, receives, encodes and stores a picture and returns its name. The caller's transaction then calls `replacePicture`; without that
 * the picture is deleted within two hours. Throws `too_many_requests`, `unsupported_media_type` or `unavailable`. Slow:
 * must not be called inside a transaction.
 */
export async function uploadPicture(
  app: AppDeps,
  { user_id, upload, source_hash, field, framing }: PictureUpload,
): Promise<string> {
  const file = newPictureName()
  await app.transaction(async (deps) => {
    const now = deps.clock.now()
    if (user_id && (await store.countPictures(deps.db, user_id, timeAfter(now, -HOUR))) >= LIMITS.uploads_per_hour) {
      throw problem('too_many_requests', { retry_after: HOUR, params: { seconds: HOUR } })
    }
    const row = { file, user_id, created_at: toTime(now), source_hash: source_hash ?? null }
    await store.insertPicture(deps.db, { ...row, kept_at: null, dropped_at: null })
  })
  const made = await app.pictures.squares(await upload.read(), { framing, field })
  for (const [size, square] of made)
    await app.media.put(
      fileName(file, size),
      (async function* () {
        yield square
      })(),
    )
  return file
}

/** Uses the picture `after` in place of `before`, whose files are deleted after the commit. Both may be null. */
export async function replacePicture(
  deps: TransactionDeps,
  before: string | null,
  after: string | null,
): Promise<void> {
  const now = toTime(deps.clock.now())
  if (after !== null && !(await store.updateKeptAt(deps.db, after, now)))
    throw problem('unavailable', { retry_after: 1 })
  if (before === null || before === after) return
  await store.updateDroppedAt(deps.db, before, now)
  deps.after(() => removeFiles(deps, before))
}

/** Deletes unused pictures, also those of uploads that a process did not finish. Returns how many; throws when one of them could not be deleted. */
export async function prune(app: AppDeps, limit: number): Promise<number> {
  const before = timeAfter(app.clock.now(), -HOUR)
  const files = await store.listUnusedPictures(app.db, before, limit)
  const { removed, failures } = await removeEach(files, (file) => removeFiles(app, file))
  await app.transaction((deps) => store.deletePictures(deps.db, removed))
  if (failures.length > 0) throw failures[0]
  return removed.length
}

export const { findNewestKeptAt, findSourceHash } = store

/** Reads the largest size of a picture; undefined when its file is missing. */
export async function readPicture(deps: Pick<AppDeps, 'media'>, picture: string): Promise<Buffer | undefined> {
  const found = await deps.media.open(largestFileName(picture))
  return found && (await buffer(found.body))
}

/**
 * Names of the files of all pictures in use, for a backup: of those that came into use before a time, or from then on.
 */
export async function* listPictureFiles(
  db: ReadDb,
  kept: { before: string } | { from: string },
): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const pictures = await store.listKeptPictures(db, kept, after, STEP)
    for (const picture of pictures) for (const size of PICTURE_SIZES) yield fileName(picture, size)
    const last = pictures.at(-1)
    if (last === undefined || pictures.length < STEP) return
    after = last
  }
}

/** File name of the largest size of a picture. */
export function largestFileName(picture: string): string {
  return fileName(picture, 512)
}

async function removeFiles(deps: Pick<TransactionDeps, 'media'>, file: string): Promise<void> {
  for (const size of PICTURE_SIZES) await deps.media.remove(fileName(file, size))
}
