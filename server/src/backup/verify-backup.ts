import { CommandError } from '../commands/command-error.ts'
import type { TableShape } from '../db/copy/tables.ts'
import { migrations } from '../db/migrations/index.ts'
import { SECRET_FINGERPRINT } from '../db/settings.ts'
import { VERSION } from '../version.ts'
import { damaged } from './backup-lines.ts'
import { readBackup } from './backup-reader.ts'
import type { DatabaseLine, EndLine, Header, TableDigest } from './format.ts'

/** Contents of a verified backup. */
export type Summary = {
  header: Header
  database: DatabaseLine
  tables: (TableShape & TableDigest)[]
  end: EndLine
  /** Bytes of pictures and archives. */
  file_bytes: number
  /** Fingerprint of the secret with which the values are encrypted. */
  fingerprint: string | undefined
}

/**
 * Reads a whole backup. Throws `CommandError` when anything in it is damaged, missing or unknown.
 *
 * @param options.rows false checks their bytes by the hash of the file alone; who restores them reads and compares them afterwards
 */
export async function verifyBackup(file: string, { rows: everyRow = true } = {}): Promise<Summary> {
  const found: Partial<Summary> & { tables: Summary['tables']; file_bytes: number } = { tables: [], file_bytes: 0 }
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') found.header = part.header
    else if (part.kind === 'database') found.database = part.database
    else if (part.kind === 'file') for await (const piece of part.body) found.file_bytes += piece.length
    else if (part.kind === 'end') found.end = part.end
    else {
      const isSettings = part.table.name === 'settings'
      if (!everyRow && !isSettings) await part.skip()
      else
        for await (const batch of part.rows) {
          if (!isSettings) continue
          for (const [key, value] of batch) if (key === SECRET_FINGERPRINT) found.fingerprint = value as string
        }
      found.tables.push({ ...part.table, ...part.digest() })
    }
  }
  const { header, database, end, ...rest } = found
  if (!header || !database || !end) throw damaged('it has no database')
  return { header, database, end, fingerprint: found.fingerprint, ...rest }
}

/** Throws `CommandError` when the backup belongs to another major version or to a newer schema. */
export function refuseOtherVersions({ header, database }: Pick<Summary, 'header' | 'database'>): void {
  const unknown = database.migrations.filter((name) => !(name in migrations))
  if (unknown.length > 0)
    throw new CommandError(
      `The backup was made with a newer version of Vrata (${header.version}); this is ${VERSION}. It has changes of the schema that this version does not know: ${unknown.join(', ')}. Restore it with version ${header.version} or a later one.`,
    )
  if (majorOf(header.version) !== majorOf(VERSION))
    throw new CommandError(
      `The backup was made with Vrata ${header.version}; this is ${VERSION}. Restore it with a version ${majorOf(header.version)}.x, then upgrade.`,
    )
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0]
}
