import { type InputOf, type media, problem } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { fileName } from './file-names.ts'

/** Returns a picture (product §3.10). Reads no table: names cannot be guessed (security §5.3.1). */
export async function getMedia(
  deps: Pick<AppDeps, 'media'>,
  _: AnonymousActor,
  { file, size = 512 }: InputOf<typeof media.getMedia>,
) {
  const found = await deps.media.open(fileName(file, size))
  if (!found) throw problem('not_found')
  return found
}
