import { type InputOf, type media, problem } from '@vrata/contract'
import type { ReadDeps } from '../../deps.ts'
import type { Visitor } from '../../edge/actors.ts'
import { fileOf } from './names.ts'

/** Specification §3, "Profile picture": GET /media/{file}. No question to the database: a name is not guessed. */
export async function getMedia(deps: ReadDeps, _: Visitor, { file, size = 512 }: InputOf<typeof media.getMedia>) {
  const found = await deps.media.open(fileOf(file, size))
  if (!found) throw problem('not_found')
  return found
}
