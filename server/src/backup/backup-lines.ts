import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../commands/command-error.ts'
import { LONGEST_LINE } from './format.ts'

/** A line of a backup, without its end. */
export class Line {
  readonly number: number
  readonly bytes: Buffer
  /** Hash of all bytes before it; only before the next lines are asked for. */
  readonly hashBefore: () => string

  constructor(number: number, bytes: Buffer, hashBefore: () => string) {
    this.number = number
    this.bytes = bytes
    this.hashBefore = hashBefore
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }
}

/**
 * Reads the lines of a file, compressed or not; as many at a time as one piece of the file has, because a turn of the event loop costs as
 * much as a line. Memory is bounded by the longest line.
 */
export async function* linesOf(file: string): AsyncGenerator<Line[]> {
  const hash = createHash('sha256')
  let number = 0
  let rest = Buffer.alloc(0)
  for await (const chunk of await bytesOf(file)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const lines: Line[] = []
    let from = 0
    for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
      const before = from
      number += 1
      const hashBefore = () => hash.copy().update(bytes.subarray(0, before)).digest('hex')
      lines.push(new Line(number, bytes.subarray(from, to), hashBefore))
      from = to + 1
    }
    if (lines.length > 0) yield lines
    hash.update(bytes.subarray(0, from))
    rest = Buffer.from(bytes.subarray(from))
    if (rest.length > LONGEST_LINE) throw damaged(`line ${number + 1} is too long`)
  }
  if (rest.length > 0) throw damaged('its last line is not complete')
}

/** The error for a file that is not a complete backup; `what` describes the defect. */
export function damaged(what: string): CommandError {
  return new CommandError(`The file is not a complete backup: ${what}. Nothing was changed.`)
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  let input: ReadStream | undefined
  try {
    const compressed = await isCompressed(file)
    // Opened right before it is iterated: until then nothing listens to its errors, and one would end the process.
    input = createReadStream(file, { highWaterMark: 1 << 18 })
    yield* compressed ? unpacked(input) : input
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw damaged('it ends too early')
    if (code.startsWith('Z_')) throw damaged(`its content is damaged (gzip: ${message})`)
    // Errors of reading do not name the file, those of opening do.
    throw error instanceof CommandError ? error : Object.assign(error as Error, { path: file })
  } finally {
    input?.destroy()
  }
}

/** Fails with an error of reading, too, which `pipe` does not pass on. */
function unpacked(input: ReadStream): AsyncIterable<Buffer> {
  const output = createGunzip({ chunkSize: 1 << 18 })
  input.on('error', (error) => output.destroy(error))
  return input.pipe(output)
}

/** Whether the file starts like gzip (RFC 1952 §2.3.1). */
async function isCompressed(file: string): Promise<boolean> {
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(
      cause.code === 'ENOENT' ? `${file} does not exist.` : `${file} cannot be read: ${cause.message}`,
      { cause },
    )
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    if (bytesRead === 0) throw damaged('it is empty')
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}
