import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { CommandError } from '../commands/command-error.ts'
import type { Row, TableShape } from '../db/copy/tables.ts'
import { flushFolder } from '../lib/flush-folder.ts'
import { within } from '../lib/waiting/within.ts'
import { deletedOnSignal } from './deleted-on-signal.ts'
import {
  type DatabaseLine,
  type EndLine,
  FORMAT,
  type Folder,
  type Header,
  PIECE,
  RowsDigest,
  type TableDigest,
} from './format.ts'

/** How the incomplete file is opened, and milliseconds for its disk to take more; for tests. */
export type Disk = { open?: (file: string) => Promise<FileHandle>; patience?: number }

/** Writes the lines of a backup into a file that appears when it is complete. */
export class BackupWriter {
  readonly #file: string
  readonly #input: Writable
  readonly #written: Promise<void>
  readonly #hash: Hash = createHash('sha256')
  readonly #counts = { tables: 0, rows: 0, files: 0 }
  /** The part contains everything, so none is left behind. */
  readonly #keep: () => void
  readonly #inUse: NodeJS.Timeout
  readonly #patience: number

  private constructor(file: string, part: FileHandle, compressed: boolean, patience: number) {
    this.#file = file
    this.#patience = patience
    this.#keep = deletedOnSignal(`${file}.part`)
    // While a backup waits for a migration or a store, it writes nothing. Its part must not look like one that was left.
    this.#inUse = setInterval(() => void touch(part), TOUCHED).unref()
    this.#input = new PassThrough({ highWaterMark: 1 << 20 })
    const disk = part.createWriteStream({ flush: true })
    // Level 3: a third slower to compress than level 1, and a fifth smaller; higher levels gain little.
    const stages = compressed ? [createGzip({ level: 3 }), disk] : [disk]
    this.#written = pipeline([this.#input, ...stages]).catch((cause) => {
      // The system does not name the file that it cannot write to.
      throw Object.assign(cause, { path: file })
    })
    this.#written.catch(() => {})
  }

  /** @param compressed with gzip; otherwise lines that people and programs can read directly */
  static async create(
    file: string,
    header: Omit<Header, 'vrata' | 'format'>,
    compressed: boolean,
    { open = openPart, patience = PATIENCE }: Disk = {},
  ): Promise<BackupWriter> {
    const part = await within(patience, open(file), () => noAnswer(file, patience))
    const writer = new BackupWriter(file, part, compressed, patience)
    await writer.#line({ vrata: 'backup', format: FORMAT, ...header } satisfies Header)
    return writer
  }

  async database(line: DatabaseLine): Promise<void> {
    await this.#line(line)
  }

  async table({ name, columns }: TableShape, rows: AsyncIterable<Row[]>): Promise<TableDigest> {
    await this.#line({ table: name, columns })
    const digest = new RowsDigest()
    for await (const batch of rows) {
      let text = ''
      for (const row of batch) {
        const line = JSON.stringify(row)
        digest.add(line)
        text += `${line}\n`
      }
      await this.#write(text)
    }
    const end = digest.value()
    await this.#line(end)
    this.#counts.tables += 1
    this.#counts.rows += end.rows
    return end
  }

  async file(folder: Folder, name: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#line({ file: name, folder })
    const digest = createHash('sha256')
    let bytes = 0
    for await (const chunk of body) {
      digest.update(chunk)
      bytes += chunk.length
      for (let at = 0; at < chunk.length; at += PIECE)
        await this.#line(Buffer.from(chunk.subarray(at, at + PIECE)).toString('base64'))
    }
    await this.#line({ bytes, sha256: digest.digest('hex') })
    this.#counts.files += 1
  }

  /** Completes the file; resolves with its last line and its size in bytes. */
  async end(): Promise<EndLine & { bytes: number }> {
    const line: EndLine = { end: true, ...this.#counts, sha256: this.#hash.digest('hex') }
    this.#input.end(`${JSON.stringify(line)}\n`)
    await this.#answered(this.#written)
    clearInterval(this.#inUse)
    await this.#answered(rename(`${this.#file}.part`, this.#file).then(() => flushFolder(dirname(this.#file))))
    this.#keep()
    return { ...line, bytes: (await stat(this.#file)).size }
  }

  /** Deletes the incomplete file. */
  async abandon(): Promise<void> {
    this.#input.destroy()
    clearInterval(this.#inUse)
    const removed = this.#written.catch(() => {}).then(() => rm(`${this.#file}.part`, { force: true }))
    await within(REMOVING, removed, () => noAnswer(this.#file, REMOVING)).catch(() => {})
    this.#keep()
  }

  /** Rejects when the disk does not answer, as a network disk that is away. */
  async #answered<T>(operation: Promise<T>): Promise<T> {
    return await within(this.#patience, operation, () => noAnswer(this.#file, this.#patience))
  }

  async #line(value: unknown): Promise<void> {
    await this.#write(`${JSON.stringify(value)}\n`)
  }

  async #write(text: string): Promise<void> {
    if (text === '') return
    this.#hash.update(text)
    if (this.#input.write(text)) return
    await this.#answered(this.#drained())
    // A full disk ends the pipeline without draining the input.
    if (this.#input.destroyed) await this.#written
  }

  /** Not a race with `#written`, which would keep something of each wait until the backup is complete. */
  async #drained(): Promise<void> {
    const input = this.#input
    if (input.destroyed) return
    await new Promise<void>((resolve) => {
      const done = () => {
        input.off('drain', done).off('close', done)
        resolve()
      }
      input.once('drain', done).once('close', done)
    })
  }
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  )
}

/** Milliseconds after which an untouched part counts as left by a killed process, and milliseconds between two touches. */
const LEFT = 10 * 60_000
const TOUCHED = 60_000

/** Milliseconds for the disk of the file to take more, which a network disk that is away never does; one that is only slow flushes for minutes. */
const PATIENCE = 10 * 60_000
/** Milliseconds to delete an incomplete file. */
const REMOVING = 5000

function noAnswer(file: string, patience: number): CommandError {
  return new CommandError(`${file}: its disk has not answered for ${patience / 1000} seconds; is it away?`)
}

async function touch(part: FileHandle): Promise<void> {
  const now = new Date()
  await part.utimes(now, now).catch(() => {})
}

/** Creates the incomplete file, in place of one that was left. Two backups that write the same one would damage it. */
async function openPart(file: string): Promise<FileHandle> {
  if (await exists(file)) throw new CommandError(`${file} exists already. Choose another name, or delete it.`)
  const part = `${file}.part`
  const found = await stat(part).catch(() => undefined)
  if (found && Date.now() - found.mtimeMs > LEFT) await rm(part, { force: true })
  return await open(part, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    // The operator has asked for the file, not for its part.
    if (cause.code !== 'EEXIST') throw Object.assign(cause, { path: file })
    throw new CommandError(
      `Another backup writes ${part}. If one was killed, delete it, or try again after ten minutes.`,
      { cause },
    )
  })
}
