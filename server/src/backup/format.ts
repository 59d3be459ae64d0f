import { createHash, hash } from 'node:crypto'
import { z } from 'zod'
import type { Row } from '../db/copy/tables.ts'

/**
 * The lines of a backup (docs/guides/backup-format.md). Each line is one JSON value; objects open and close sections, arrays
 * are rows, strings are pieces of a file.
 */
export const FORMAT = 1

/** Bytes of a file per line, before base64. */
export const PIECE = 48 * 1024

/** Most bytes of a line; a longer one is damage. */
export const LONGEST_LINE = 64 * 1024 * 1024

/** Folders of the files of an installation. */
export const FOLDERS = ['media', 'archives'] as const
export type Folder = (typeof FOLDERS)[number]

/** Secrets, encrypted with a passphrase: scrypt (RFC 7914) and AES-256-GCM. Binary values are base64url. */
const sealedSecrets = z.object({
  kdf: z.literal('scrypt'),
  n: z
    .int()
    .min(2)
    .max(1 << 20),
  r: z.int().min(1).max(32),
  p: z.int().min(1).max(16),
  salt: z.base64url(),
  nonce: z.base64url(),
  sealed: z.base64url(),
})
export type SealedSecrets = z.output<typeof sealedSecrets>

/** First line. */
export const header = z.object({
  vrata: z.literal('backup'),
  format: z.int(),
  /** Version of Vrata that has written it. */
  version: z.string(),
  created_at: z.iso.datetime(),
  /** Public address of the installation. */
  url: z.string(),
  secrets: sealedSecrets.nullable(),
})
export type Header = z.output<typeof header>

const name = z.string().regex(/^[a-z][a-z0-9_]*$/)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Before the tables: the state of the database to which they belong. */
export const databaseLine = z.object({
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()).min(1),
})
export type DatabaseLine = z.output<typeof databaseLine>

/** Before the rows of a table. */
export const tableLine = z.object({ table: name, columns: z.array(name).min(1) })
/** After them. */
export const tableEnd = z.object({ rows: z.int().min(0), sha256 })

/** Whether a value is a row of a table with so many columns. Written by hand: a backup can have many millions of rows. */
export function isRow(value: unknown, columns: number): value is Row {
  if (!Array.isArray(value) || value.length !== columns) return false
  return value.every((one) => one === null || typeof one === 'string' || Number.isSafeInteger(one))
}

/** Before the pieces of a file. */
export const fileLine = z.object({ file: z.string().regex(/^[A-Za-z0-9_-]+\.[a-z]+$/), folder: z.enum(FOLDERS) })
/** After them. */
export const fileEnd = z.object({ bytes: z.int().min(0), sha256 })

/** Last line: what the file has, and the hash of all bytes before this line. */
export const endLine = z.object({ end: z.literal(true), tables: z.int(), rows: z.int(), files: z.int(), sha256 })
export type EndLine = z.output<typeof endLine>

export type TableDigest = { rows: number; sha256: string }

/**
 * Hash of the rows of a table, whatever their order: databases return rows in different orders. The SHA-256 hashes of
 * the lines are added as eight numbers of 32 bits each, without carrying, and the sum is hashed.
 */
export class RowsDigest {
  #rows = 0
  readonly #sums = new Uint32Array(8)
  readonly #digest = Buffer.alloc(32)

  add(line: string): void {
    // As a text: a new buffer for each hash takes twice as long as the hash.
    this.#digest.write(hash('sha256', line, 'binary'), 'binary')
    for (let i = 0; i < 8; i += 1) this.#sums[i] = (this.#sums[i] as number) + this.#digest.readUInt32BE(i * 4)
    this.#rows += 1
  }

  value(): TableDigest {
    const bytes = Buffer.alloc(32)
    this.#sums.forEach((sum, i) => void bytes.writeUInt32BE(sum, i * 4))
    return { rows: this.#rows, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
}
