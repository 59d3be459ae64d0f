import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * The secret of an installation without `VRATA_SECRET`: the file `secret` of the data folder, and `secret.old` while the
 * secret is being replaced. Both have mode 0600.
 */
const CURRENT = 'secret'
const OLD = 'secret.old'

/** Error codes of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])
/** Error codes of systems that flush no folder. */
const NO_FLUSH: ReadonlySet<string> = new Set([...NO_LINKS, 'EACCES', 'EISDIR', 'EINVAL'])

export function newSecret(): string {
  return randomBytes(48).toString('base64url')
}

/** The secret of the data folder, created on the first start. */
export function readOrCreateSecret(dataDir: string): string {
  const present = read(dataDir, CURRENT)
  if (present !== undefined) return present
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const secret = newSecret()
  // Another process may have created the file first; its secret is used.
  return create(dataDir, CURRENT, secret) ? secret : (read(dataDir, CURRENT) ?? secret)
}

/** Writes a file whole or not at all. Returns false, and changes nothing, when there is one. */
function create(dataDir: string, name: string, value: string): boolean {
  const part = join(dataDir, `${name}.${process.pid}.part`)
  try {
    writeFileSync(part, `${value}\n`, { mode: 0o600, flush: true })
    linkSync(part, join(dataDir, name))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!NO_LINKS.has(code)) throw error
    renameSync(part, join(dataDir, name))
  } finally {
    rmSync(part, { force: true })
  }
  flushNames(dataDir)
  return true
}

/**
 * Writes the names of the files to the disk. After a loss of power the folder could have the former ones, while the database, on another disk or
 * machine, has values that were encrypted with the secret.
 */
function flushNames(dataDir: string): void {
  let descriptor: number | undefined
  try {
    descriptor = openSync(dataDir, 'r')
    fsyncSync(descriptor)
  } catch (error) {
    if (!NO_FLUSH.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
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
  write(dataDir, CURRENT, secret)
  return true
}

/** Stores the secrets of a backup, the current one first, in a data folder that has none. */
export function writeSecrets(dataDir: string, [secret, old]: readonly string[]): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (old !== undefined) write(dataDir, OLD, old)
  if (secret !== undefined) write(dataDir, CURRENT, secret)
}

/** Deletes what `writeSecrets` has written. */
export function deleteSecrets(dataDir: string): void {
  deleteOldSecret(dataDir)
  rmSync(join(dataDir, CURRENT), { force: true })
}

function write(dataDir: string, name: string, value: string): void {
  const file = join(dataDir, name)
  writeFileSync(`${file}.part`, `${value}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.part`, file)
  flushNames(dataDir)
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
