import type { Files } from '../adapters/media/files.ts'
import { type DatabaseLocation, type Snapshot, withSnapshot } from '../db/copy/snapshot.ts'
import { timeAfter } from '../db/values.ts'
import { findNewestKeptAt, listPictureFiles } from '../features/media/public.ts'
import { listArchiveFiles } from '../features/privacy/public.ts'
import { VERSION } from '../version.ts'
import { BackupWriter, type Disk } from './backup-writer.ts'
import type { EndLine, Folder, SealedSecrets } from './format.ts'

/** Source of a backup. */
export type Source = { place: DatabaseLocation; url: string } & Record<Folder, Files>

export type CreateOptions = {
  secrets: SealedSecrets | null
  /** With gzip. */
  compressed: boolean
}

export type Created = EndLine & {
  /** Size of the file. */
  bytes: number
  /** Files that the database names and that do not exist. */
  missing: string[]
  /** Tables that Vrata has not created; they are not in the file. */
  others: string[]
}

/** Seconds by which the clocks of servers may differ; that of the machine that writes the backup does not matter. */
const SKEW = 300

/**
 * Writes a backup of an installation that may be in use. The database is one state. Most pictures are copied before that
 * state is taken, since a picture that is replaced later is deleted at once; those that came into use in the meantime
 * follow right after. Leaves no file when it fails.
 */
export async function createBackup(
  source: Source,
  file: string,
  options: CreateOptions,
  disk: Disk = {},
): Promise<Created> {
  const { place, url } = source
  const missing: string[] = []
  const begun = new Date()
  // Looked at first, so that a wrong place fails before there is a file.
  const newest = await withSnapshot(place, ({ db }) => findNewestKeptAt(db), { only: 'pictures' })
  const border = timeAfter(newest ? new Date(newest) : begun, -SKEW)
  const writer = await BackupWriter.create(
    file,
    { version: VERSION, created_at: begun.toISOString(), url, secrets: options.secrets },
    options.compressed,
    disk,
  )
  const copy = async (folder: Folder, names: AsyncIterable<string>) => {
    for await (const name of names) {
      const found = await source[folder].open(name)
      if (found) await writer.file(folder, name, found.body)
      else missing.push(`${folder}/${name}`)
    }
  }
  try {
    await withSnapshot(place, ({ db }) => copy('media', listPictureFiles(db, { before: border })), { only: 'pictures' })
    const others = await withSnapshot(place, async (snapshot) => {
      await copy('media', listPictureFiles(snapshot.db, { from: border }))
      await copy('archives', listArchiveFiles(snapshot.db))
      await writeTables(writer, snapshot)
      return snapshot.others
    })
    return { ...(await writer.end()), missing, others }
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

async function writeTables(writer: BackupWriter, snapshot: Snapshot): Promise<void> {
  await writer.database({ database: snapshot.engine, migrations: snapshot.migrations })
  for (const table of snapshot.tables) await writer.table(table, snapshot.rows(table))
}
