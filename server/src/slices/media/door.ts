import { LIMITS, problem } from '@vrata/contract'
import { PICTURE_SIZES } from '@vrata/contract/media'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps } from '../../deps.ts'
import { newPictureName } from '../../ports/ids.ts'
import type { Framing } from '../../ports/media/resize.ts'
import { fileOf } from './names.ts'
import * as store from './store.ts'

const HOUR = 60 * 60

/** A picture that somebody sent, as a rule gets it. */
export interface Sent {
  user_id: string
  bytes: Uint8Array
  /** The field in which it came; what is wrong with it is told there. */
  field: string
  framing: Framing
}

/**
 * Makes and stores a picture, and answers its name. Nothing shows it yet: the caller's transaction keeps it with
 * `replacePicture`, else it is forgotten within two hours. Throws `too_many_requests`, `unsupported_media_type` or
 * `unavailable`. Takes long: never call it inside a transaction.
 */
export async function receivePicture(open: OpenDeps, { user_id, bytes, field, framing }: Sent): Promise<string> {
  const file = newPictureName()
  await open.transaction(async (deps) => {
    const now = deps.clock.now()
    if ((await store.countPictures(deps.db, user_id, timeAfter(now, -HOUR))) >= LIMITS.uploads_per_hour) {
      throw problem('too_many_requests', { retry_after: HOUR, params: { seconds: HOUR } })
    }
    await store.insertPicture(deps.db, { file, user_id, created_at: toTime(now), kept_at: null, dropped_at: null })
  })
  const made = await open.pictures.squares(bytes, { framing, field })
  for (const [size, square] of made)
    await open.media.put(
      fileOf(file, size),
      (async function* () {
        yield square
      })(),
    )
  return file
}

/** From now on `after` is shown in place of `before`, whose files go once that is certain. Both may be null. */
export async function replacePicture(deps: Deps, before: string | null, after: string | null): Promise<void> {
  const now = toTime(deps.clock.now())
  if (after !== null && !(await store.markKept(deps.db, after, now))) throw problem('unavailable', { retry_after: 1 })
  if (before === null || before === after) return
  await store.markDropped(deps.db, before, now)
  deps.after(() => removeFiles(deps, before))
}

/** Forgets pictures that nothing shows; also what a process left behind that ended in between. Answers how many. */
export async function prune(open: OpenDeps, most: number): Promise<number> {
  const before = timeAfter(open.clock.now(), -HOUR)
  const files = await store.listForgotten(open.db, before, most)
  for (const file of files) await removeFiles(open, file)
  await open.transaction((deps) => store.deletePictures(deps.db, files))
  return files.length
}

/** The file of a picture in its largest size. */
export function largestOf(picture: string): string {
  return fileOf(picture, 512)
}

async function removeFiles(deps: Pick<Deps, 'media'>, file: string): Promise<void> {
  for (const size of PICTURE_SIZES) await deps.media.remove(fileOf(file, size))
}
