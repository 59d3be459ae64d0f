import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { CommandError } from '../commands/command-error.ts'
import type { Row, TableShape } from '../db/copy/tables.ts'
import { damaged, type Line, linesOf } from './backup-lines.ts'
import {
  type DatabaseLine,
  databaseLine,
  type EndLine,
  endLine,
  FORMAT,
  type Folder,
  fileEnd,
  fileLine,
  type Header,
  header,
  isRow,
  RowsDigest,
  type TableDigest,
  tableEnd,
  tableLine,
} from './format.ts'

/**
 * A part of a backup. Rows must be read or skipped, and pieces read, before the next part is asked for; the digest is known after them.
 * Rows that are skipped are only counted.
 */
export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'database'; database: DatabaseLine }
  | { kind: 'table'; table: TableShape; rows: AsyncIterable<Row[]>; skip(): Promise<void>; digest(): TableDigest }
  | { kind: 'file'; folder: Folder; name: string; body: AsyncIterable<Buffer> }
  | { kind: 'end'; end: EndLine }

/** Rows per batch. */
const BATCH = 1000

/**
 * Reads a backup part by part and checks every line, hash and count. Throws `CommandError` for a file that is damaged,
 * cut, or of a format that this version does not know.
 *
 * @param options.digests false when the caller compares the hashes of the tables itself
 */
export async function* readBackup(file: string, { digests = true } = {}): AsyncGenerator<Part> {
  const lines = new Lines(linesOf(file))
  const counts = { tables: 0, rows: 0, files: 0 }
  try {
    yield { kind: 'header', header: headerOf(await lines.next()) }
    for (;;) {
      const line = await lines.next()
      const value = lines.parse(line)
      const table = tableLine.safeParse(value)
      if (table.success) {
        let digest: TableDigest | undefined
        const { table: name, columns } = table.data
        const done = (end: TableDigest) => {
          digest = end
        }
        const rows = rowsOf(lines, columns.length, digests, done)
        const skip = () => skipRows(lines, done)
        yield { kind: 'table', table: { name, columns }, rows, skip, digest: () => digest as TableDigest }
        if (!digest) throw new Error(`The rows of ${name} were not read.`)
        counts.tables += 1
        counts.rows += (digest as TableDigest).rows
        continue
      }
      const opened = fileLine.safeParse(value)
      if (opened.success) {
        yield { kind: 'file', folder: opened.data.folder, name: opened.data.file, body: bodyOf(lines) }
        counts.files += 1
        continue
      }
      const database = databaseLine.safeParse(value)
      if (database.success) {
        yield { kind: 'database', database: database.data }
        continue
      }
      const end = lines.expect(endLine, line, value)
      const wrong = (Object.keys(counts) as (keyof typeof counts)[]).find((key) => counts[key] !== end[key])
      if (wrong) throw damaged(`it has ${counts[wrong]} ${wrong} and not ${end[wrong]}`)
      if (line.hashBefore() !== end.sha256) throw damaged('its hash is not the one of its last line')
      await lines.refuseMore()
      yield { kind: 'end', end }
      return
    }
  } finally {
    await lines.close()
  }
}

function headerOf(line: Line): Header {
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    value = undefined
  }
  const { vrata, format } = (value ?? {}) as { vrata?: unknown; format?: unknown }
  if (vrata !== 'backup') throw new CommandError('The file is no backup of Vrata.')
  if (format !== FORMAT)
    throw new CommandError(`The backup has format ${format}; this version reads format ${FORMAT}. Use a newer version.`)
  const parsed = header.safeParse(value)
  if (!parsed.success) throw damaged('line 1 is not valid')
  return parsed.data
}

async function* rowsOf(
  lines: Lines,
  columns: number,
  digests: boolean,
  done: (digest: TableDigest) => void,
): AsyncGenerator<Row[]> {
  const digest = new RowsDigest()
  let count = 0
  let batch: Row[] = []
  for (;;) {
    const line = lines.ready() ?? (await lines.next())
    if (!isArray(line)) {
      if (batch.length > 0) yield batch
      const end = lines.expect(tableEnd, line)
      if (end.rows !== count || (digests && end.sha256 !== digest.value().sha256)) throw changedBefore(line)
      done(end)
      return
    }
    const { text } = line
    const row = lines.parse(line, text)
    if (!isRow(row, columns)) throw damaged(`line ${line.number} is not valid`)
    batch.push(row)
    count += 1
    if (digests) digest.add(text)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
}

async function skipRows(lines: Lines, done: (digest: TableDigest) => void): Promise<void> {
  for (let count = 0; ; count += 1) {
    const line = lines.ready() ?? (await lines.next())
    if (isArray(line)) continue
    const end = lines.expect(tableEnd, line)
    if (end.rows !== count) throw changedBefore(line)
    done(end)
    return
  }
}

function isArray({ bytes }: Line): boolean {
  return bytes[0] === OPENING_BRACKET
}

const OPENING_BRACKET = 0x5b

function changedBefore({ number }: Line): CommandError {
  return damaged(`the rows before line ${number} were changed`)
}

async function* bodyOf(lines: Lines): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  let bytes = 0
  for (;;) {
    const line = await lines.next()
    if (!line.text.startsWith('"')) {
      const end = lines.expect(fileEnd, line)
      if (end.bytes !== bytes || end.sha256 !== digest.digest('hex'))
        throw damaged(`the file before line ${line.number} was changed`)
      return
    }
    const piece = Buffer.from(lines.parse(line) as string, 'base64')
    digest.update(piece)
    bytes += piece.length
    yield piece
  }
}

class Lines {
  readonly #pieces: AsyncGenerator<Line[]>
  #lines: Line[] = []
  #at = 0

  constructor(pieces: AsyncGenerator<Line[]>) {
    this.#pieces = pieces
  }

  /** The next line, when it has been read from the file already. */
  ready(): Line | undefined {
    const line = this.#lines[this.#at]
    if (line) this.#at += 1
    return line
  }

  async next(): Promise<Line> {
    const ready = this.ready()
    if (ready) return ready
    const { value, done } = await this.#pieces.next()
    if (done) throw damaged('it ends too early')
    this.#lines = value
    this.#at = 1
    return value[0] as Line
  }

  parse(line: Line, text = line.text): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw damaged(`line ${line.number} is not valid`)
    }
  }

  expect<T>(schema: z.ZodType<T>, line: Line, value: unknown = this.parse(line)): T {
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw damaged(`line ${line.number} is not valid`)
    return parsed.data
  }

  async refuseMore(): Promise<void> {
    if (this.ready() || !(await this.#pieces.next()).done) throw damaged('it goes on after its last line')
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined)
  }
}
