import { Readable } from 'node:stream'
import { within } from '../../lib/waiting/within.ts'
import { FilesUnavailable } from './files.ts'

/** Milliseconds for one answer of a store of files. */
const ANSWER = 30_000

/** Settles like the answer, or rejects when it does not come in time. */
export async function inTime<T>(answer: Promise<T>, milliseconds = ANSWER): Promise<T> {
  return await within(milliseconds, answer, () => new NoAnswer(milliseconds))
}

/** The store has not answered in time. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  constructor(milliseconds: number) {
    super(`it has not answered for ${milliseconds / 1000} s`)
  }
}

/**
 * The content of a file. `next` resolves with its next bytes, and with undefined at its end; `close` is called once, also when nothing was read: an
 * iteration that never begins would leave the file open.
 */
export function fileBody(next: () => Promise<Uint8Array | undefined>, close: () => void): Readable {
  return new Readable({
    read() {
      next().then(
        (bytes) => this.push(bytes ?? null),
        (error) => this.destroy(new FilesUnavailable(error)),
      )
    },
    destroy(error, done) {
      close()
      done(error)
    },
  })
}
