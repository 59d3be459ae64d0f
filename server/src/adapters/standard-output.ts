import { write, writeSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Characters that wait; further lines are dropped. */
const WAITING = 1024 * 1024
/** Milliseconds after which a pipe is tried again that takes nothing more. */
const AGAIN = 100

/**
 * Writes lines to standard output, in their order and without blocking. When they cannot be written, because the disk is full or nobody
 * reads, some of them wait until the next line and the others are dropped. That neither ends the process, as an unhandled error of a
 * stream does, nor delays its end.
 */
export function standardOutput(fd = 1): { write(line: string): void } {
  let lines = ''
  /** Bytes that are being written, or were refused. */
  let rest: Buffer | undefined
  let isWriting = false
  const proceed = () => {
    if (isWriting || (!rest && !lines)) return
    if (!rest) {
      rest = Buffer.from(lines)
      lines = ''
    }
    isWriting = true
    write(fd, rest, (error, written) => {
      isWriting = false
      if (error?.code === 'EAGAIN') setTimeout(proceed, AGAIN).unref()
      if (error) return
      rest = rest && written < rest.length ? rest.subarray(written) : undefined
      proceed()
    })
  }
  process.once('exit', () => {
    try {
      if (!isWriting && rest) writeSync(fd, rest)
      if (lines) writeSync(fd, lines)
    } catch {
      // Output cannot be written.
    }
  })
  return {
    write(line) {
      if (lines.length < WAITING) lines += line
      proceed()
    },
  }
}

/** Prints the output of a command. A program that stops reading, such as `head`, ends the command without an error. */
export async function print(pieces: Iterable<string> | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(pieces, process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/**
 * Lets a command fail when what it prints is lost, as on a full disk: it may be the only copy, such as the secret of an app. Node.js says nothing by
 * itself.
 */
export function failWhenOutputIsLost(): void {
  let lost: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A program that stops reading, such as `head`, is not an error.
    if (error.code !== 'EPIPE') lost = error
  })
  process.once('exit', (code) => {
    if (!lost || code !== 0) return
    process.exitCode = 1
    process.stderr.write(`The command has done its work, but its output could not be written: ${lost.message}\n`)
  })
}
