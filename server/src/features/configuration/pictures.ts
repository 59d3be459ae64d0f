import { createHash } from 'node:crypto'
import { configuration } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { AuditActor } from '../audit/public.ts'
import { findSourceHash, readPicture, uploadPicture } from '../media/public.ts'

type PictureName = (typeof configuration.PICTURES)[number]

/** Pictures of a document: data, or null for none. */
export type SentPictures = { [name in PictureName]?: string | null | undefined }

/** A picture that differs from the one in use: its file, or null to remove it; and how a change names both. */
export interface PictureChange {
  name: PictureName
  file: string | null
  from: string | null
  to: string | null
}

/** A stored picture as a data URL; undefined when its file is missing, so that the document says nothing of it. */
export async function pictureAsData(
  deps: Pick<AppDeps, 'media'>,
  file: string | null,
): Promise<string | null | undefined> {
  if (file === null) return null
  const bytes = await readPicture(deps, file)
  return bytes && `data:image/webp;base64,${bytes.toString('base64')}`
}

/**
 * Compares the pictures of a document with those in use: with the stored file, and with what was sent for it. Stores those that differ,
 * unless it is a dry run; the transaction of the change has to keep them. Slow: must not be called inside a transaction.
 */
export async function comparePictures(
  app: AppDeps,
  actor: AuditActor,
  { sent, used, dry_run }: { sent: SentPictures; used: Record<PictureName, string | null>; dry_run: boolean },
): Promise<PictureChange[]> {
  const changes: PictureChange[] = []
  for (const name of configuration.PICTURES) {
    const [wanted, file] = [sent[name], used[name]]
    if (wanted === undefined || (wanted === null && file === null)) continue
    const stored = file === null ? undefined : await readPicture(app, file)
    const from = file === null ? null : describePicture('image/webp', stored?.length ?? 0)
    if (wanted === null) {
      changes.push({ name, file: null, from, to: null })
      continue
    }
    const bytes = Buffer.from(wanted.slice(wanted.indexOf(',') + 1), 'base64')
    const source_hash = createHash('sha256').update(bytes).digest('hex')
    if (stored?.equals(bytes) || (file !== null && (await findSourceHash(app.db, file)) === source_hash)) continue
    const to = describePicture(wanted.slice('data:'.length, wanted.indexOf(';')), bytes.length)
    const picture = { field: `branding.${name}`, framing: 'whole' } as const
    if (dry_run) {
      // Checks whether it is a picture at all.
      await app.pictures.squares(bytes, picture)
      changes.push({ name, file: null, from, to })
      continue
    }
    const user_id = actor !== 'system' && 'user_id' in actor ? actor.user_id : null
    const upload = { read: async () => bytes }
    changes.push({ name, file: await uploadPicture(app, { ...picture, user_id, upload, source_hash }), from, to })
  }
  return changes
}

function describePicture(type: string, bytes: number): string {
  return `${type}, ${bytes} bytes`
}
