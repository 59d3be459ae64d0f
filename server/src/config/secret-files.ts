import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolderSync } from '../lib/flush-folder.ts'

/**
 * The secret of an installation without `VRATA_SECRET`: the file `secret` of the data folder, and `secret.old` while the
 * secret is being replaced. Both have mode 0600.
 */
const CURRENT = 'secret'
const OLD = 'secret.old'

/** Error codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

export function newSecret(): string {
  return randomBytes(48).toString('base64url')
}

/** The secret of the data folder; on the first start, `secret` is stored there. */
export function readOrCreateSecret(dataDir: string, secret = newSecret()): string {
  const present = read(dataDir, CURRENT)
  if (present !== undefined) return present
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Another process may have created the file first; its secret is used.
  return create(dataDir, CURRENT, secret) ? secret : (read(dataDir, CURRENT) ?? secret)
}

/** Writes a file whole or not at all. Returns false, and changes nothing, when there is one. */
function create(dataDir: string, name: string, value: string): boolean {
  // Not with the number of the process: in containers that share the folder, several have the same.
  const part = join(dataDir, `${name}.${randomBytes(8).toString('hex')}.part`)
  writePart(part, join(dataDir, name), value)
  try {
    linkSync(part, join(dataDir, name))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    if (read(dataDir, name) !== undefined) return false
    renameSync(part, join(dataDir, name))
  } finally {
    rmSync(part, { force: true })
  }
  flushFolderSync(dataDir)
  return true
}

/** The secrets in the data folder, the current one first; a running server reads the one that replaces its own here. */
export function readSecrets(dataDir: string): string[] {
  return [read(dataDir, CURRENT), read(dataDir, OLD)].filter((secret) => secret !== undefined)
}

export function hasOldSecret(dataDir: string): boolean {
  return read(dataDir, OLD) !== undefined
}

/**
 * Stores the new secret and keeps the old one. A process that starts in between finds a secret that it can use. Returns false, and changes
 * nothing, when another process has begun to replace it: what that one encrypts could not be read without its secret.
 */
export function replaceSecret(dataDir: string, old: string, secret: string): boolean {
  if (!create(dataDir, OLD, old)) return false
  try {
    write(dataDir, CURRENT, secret)
  } catch (error) {
    // Otherwise the rotation would count as begun. Once the new secret is there, the old one is needed.
    if (read(dataDir, CURRENT) === old) deleteOldSecret(dataDir)
    throw error
  }
  return true
}

/** Stores the secrets of a backup, the current one first. Returns false, and leaves everything as it is, when the data folder has one. */
export function writeSecrets(dataDir: string, [secret, old]: readonly string[]): boolean {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (old !== undefined && !create(dataDir, OLD, old)) return false
  let isWritten = false
  try {
    isWritten = secret === undefined || create(dataDir, CURRENT, secret)
  } finally {
    if (!isWritten && old !== undefined) deleteOldSecret(dataDir)
  }
  return isWritten
}

/** Deletes what `writeSecrets` has written. */
export function deleteSecrets(dataDir: string): void {
  deleteOldSecret(dataDir)
  rmSync(join(dataDir, CURRENT), { force: true })
}

function write(dataDir: string, name: string, value: string): void {
  const file = join(dataDir, name)
  writePart(`${file}.part`, file, value)
  renameSync(`${file}.part`, file)
  flushFolderSync(dataDir)
}

/** Writes what becomes `file`, or leaves nothing: an error names `file`, because that of a full disk has no path. */
function writePart(part: string, file: string, value: string): void {
  try {
    writeFileSync(part, `${value}\n`, { mode: 0o600, flush: true })
  } catch (error) {
    rmSync(part, { force: true })
    throw Object.assign(error as Error, { path: file })
  }
}

export function deleteOldSecret(dataDir: string): void {
  rmSync(join(dataDir, OLD), { force: true })
}

function read(dataDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
