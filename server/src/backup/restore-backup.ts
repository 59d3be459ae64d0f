import { createHash } from 'node:crypto'
import type { Files } from '../adapters/media/files.ts'
import { CommandError } from '../commands/command-error.ts'
import { fillDatabase } from '../db/copy/fill.ts'
import type { DatabaseLocation } from '../db/copy/snapshot.ts'
import { NotEmpty, OutcomeUnknown, type Target } from '../db/copy/target.ts'
import { unlessInterrupted } from '../lib/interruption.ts'
import { damaged } from './backup-lines.ts'
import { readBackup } from './backup-reader.ts'
import { type Folder, RowsDigest } from './format.ts'
import type { Summary } from './verify-backup.ts'

export type Destination = { place: DatabaseLocation } & Record<Folder, Files>

type Copied = { folder: Folder; name: string }

export type Restored = {
  /** Migrations of this version that ran on the restored rows. */
  migrated: string[]
}

/**
 * Restores a verified backup into an empty database: creates the schema of the backup, loads rows and files, compares every
 * table and every file with the backup, and then runs pending migrations. Everything is there when this resolves; a failure leaves
 * the database empty and removes the copied files. With `OutcomeUnknown` the files stay, because the database may be complete.
 *
 * @param last runs after the comparison and before the database becomes visible
 * @param interruption makes it fail while rows and files are loaded
 */
export async function restoreBackup(
  file: string,
  summary: Summary,
  destination: Destination,
  last: () => void,
  interruption = new AbortController().signal,
): Promise<Restored> {
  const copied: Copied[] = []
  try {
    return await fillDatabase(destination.place, async (target) => {
      await target.migrate(summary.database.migrations)
      await refuseOtherTables(target, summary)
      await target.clear()
      await target.prepare()
      await load(file, target, destination, { copied, interruption })
      await target.finish()
      for (const table of summary.tables) {
        interruption.throwIfAborted()
        await compare(target, table)
      }
      const migrated = await target.migrate()
      last()
      return { migrated }
    })
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error
    const left = await removeFiles(destination, copied)
    const message = error instanceof Error ? error.message : String(error)
    if (left.length > 0)
      throw new CommandError(`${message} These copied files could not be removed: ${left.join(', ')}`, { cause: error })
    if (error instanceof NotEmpty)
      throw new CommandError(`${message} A backup is restored into an empty place only.`, { cause: error })
    throw error
  }
}

/** Returns the names of those that could not be removed: the error that ended the restore is the one to report. */
async function removeFiles(destination: Destination, copied: readonly Copied[]): Promise<string[]> {
  const left: string[] = []
  for (const { folder, name } of copied)
    await destination[folder].remove(name).catch(() => {
      left.push(name)
    })
  return left
}

async function refuseOtherTables(target: Target, { tables }: Summary): Promise<void> {
  const shape = ({ name, columns }: { name: string; columns: string[] }) =>
    `${name} (${[...columns].sort().join(', ')})`
  const expected = new Set((await target.tables()).map(shape))
  const given = new Set(tables.map(shape))
  const other = [...given].find((one) => !expected.has(one)) ?? [...expected].find((one) => !given.has(one))
  if (other || given.size !== tables.length)
    throw damaged(other ? `it does not have the tables of its migrations: ${other}` : 'it has a table twice')
}

async function load(
  file: string,
  target: Target,
  destination: Destination,
  { copied, interruption }: { copied: Copied[]; interruption: AbortSignal },
): Promise<void> {
  // The hashes of the tables are compared with the rows that the database has at the end.
  for await (const part of unlessInterrupted(interruption, readBackup(file, { digests: false }))) {
    if (part.kind === 'table') await target.load(part.table, unlessInterrupted(interruption, part.rows))
    if (part.kind === 'file') {
      const { folder, name } = part
      if (await putFile(destination[folder], name, part.body)) copied.push({ folder, name })
    }
  }
}

/** Writes a file and reads it back. Returns false when it was there already, for example after an interrupted restore. */
async function putFile(files: Files, name: string, body: AsyncIterable<Buffer>): Promise<boolean> {
  const digest = createHash('sha256')
  const hashed = async function* () {
    for await (const piece of body) {
      digest.update(piece)
      yield piece
    }
  }
  const present = await hashOf(files, name)
  if (present === undefined) await files.put(name, hashed())
  else for await (const _ of hashed());
  const expected = digest.digest('hex')
  if (present !== undefined && present !== expected)
    throw new CommandError(
      `${name} exists already with another content. A backup is restored into an empty place only.`,
    )
  if (present === undefined && (await hashOf(files, name)) !== expected)
    throw new CommandError(`${name} was not stored as it is in the backup.`)
  return present === undefined
}

async function hashOf(files: Files, name: string): Promise<string | undefined> {
  const found = await files.open(name)
  if (!found) return undefined
  const digest = createHash('sha256')
  for await (const piece of found.body) digest.update(piece)
  return digest.digest('hex')
}

async function compare(target: Target, table: Summary['tables'][number]): Promise<void> {
  const digest = new RowsDigest()
  await target.each(table, (row) => digest.add(JSON.stringify(row)))
  const { rows, sha256 } = digest.value()
  if (rows !== table.rows || sha256 !== table.sha256)
    throw new CommandError(`The rows of ${table.name} were not stored as they are in the backup.`)
}
