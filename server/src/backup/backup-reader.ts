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

/** A part of a backup. Rows and pieces must be read before the next part is asked for; the digest is known after them. */
export type Part =
  | { kind: 'header'; header: Header }
  | { kind: 'database'; database: DatabaseLine }
  | { kind: 'table'; table: TableShape; rows: AsyncIterable<Row[]>; digest(): TableDigest }
  | { kind: 'file'; folder: Folder; name: string; body: AsyncIterable<Buffer> }
  | { kind: 'end'; end: EndLine }

/** Rows per batch. */
const BATCH = 1000

/**
 * Reads a backup part by part and checks every line, hash and count. Throws `CommandError` for a file that is damaged,
 * cut, or of a format that this version does not know.
 */
export async function* readBackup(file: string): AsyncGenerator<Part> {
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
        const rows = rowsOf(lines, columns.length, (end) => {
          digest = end
        })
        yield { kind: 'table', table: { name, columns }, rows, digest: () => digest as TableDigest }
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

async function* rowsOf(lines: Lines, columns: number, done: (digest: TableDigest) => void): AsyncGenerator<Row[]> {
  const digest = new RowsDigest()
  let batch: Row[] = []
  for (;;) {
    const line = await lines.next()
    if (!line.text.startsWith('[')) {
      if (batch.length > 0) yield batch
      const end = lines.expect(tableEnd, line)
      const { rows, sha256 } = digest.value()
      if (end.rows !== rows || end.sha256 !== sha256) throw damaged(`the rows before line ${line.number} were changed`)
      done(end)
      return
    }
    const row = lines.parse(line)
    if (!isRow(row, columns)) throw damaged(`line ${line.number} is not valid`)
    batch.push(row)
    digest.add(line.text)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
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
  readonly #lines: AsyncGenerator<Line>

  constructor(lines: AsyncGenerator<Line>) {
    this.#lines = lines
  }

  async next(): Promise<Line> {
    const { value, done } = await this.#lines.next()
    if (done) throw damaged('it ends too early')
    return value
  }

  parse(line: Line): unknown {
    try {
      return JSON.parse(line.text)
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
    if (!(await this.#lines.next()).done) throw damaged('it goes on after its last line')
  }

  async close(): Promise<void> {
    await this.#lines.return(undefined)
  }
}
