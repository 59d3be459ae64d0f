import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** An entry of an archive; its content is requested after the entries before it are written. */
export interface Entry {
  name: string
  content(): AsyncIterable<Uint8Array | string>
}

/**
 * The bytes of a ZIP archive. Fails when one of its entries fails. No entry is requested before the first bytes are read: until then nothing listens to
 * errors of the stream, and one would end the process.
 */
export async function* zipOf(entries: readonly Entry[], made_at: Date): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  for (const { name, content } of entries) {
    zip.addReadStreamLazy(name, { mtime: made_at, mode: 0o100600 }, (done) => {
      const source = Readable.from(content(), { objectMode: false })
      source.on('error', (error) => output.destroy(error))
      done(null, source)
    })
  }
  zip.end()
  yield* output
}
