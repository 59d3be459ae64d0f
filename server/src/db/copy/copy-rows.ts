import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { quoted, type Row, type TableShape, type Value } from './tables.ts'

/** The driver settles a COPY when it begins and reports no error that PostgreSQL finds at its end; it calls this function in any case. */
type Copy = { reject(error: unknown): void }

/** Writes rows into a table by COPY, while the next ones are read. */
export async function copyRows(
  tx: TransactionSql,
  { name, columns }: TableShape,
  rows: AsyncIterable<Row[]>,
): Promise<void> {
  const copy = tx.unsafe(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`)
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})
  const settle = copy as unknown as Copy
  const before = settle.reject
  settle.reject = (error) => {
    before(error)
    reject(error)
  }
  const sent = pipeline(Readable.from(textOf(rows)), await copy.writable())
  // The promise never settles after an error at the end.
  await Promise.race([sent, failed])
}

async function* textOf(rows: AsyncIterable<Row[]>): AsyncGenerator<Buffer> {
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) text += lineOf(row)
    yield Buffer.from(text)
  }
}

/** PostgreSQL, "COPY", text format. */
function lineOf(row: Row): string {
  let line = ''
  for (const [i, value] of row.entries()) line += (i === 0 ? '' : '\t') + fieldOf(value)
  return `${line}\n`
}

function fieldOf(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'number' || !SPECIAL.test(value)) return String(value)
  return value.replace(EACH_SPECIAL, (one) => ESCAPED[one] as string)
}

const SPECIAL = /[\\\t\n\r]/
const EACH_SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
