import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file in an archive; its content is asked for once those before it have been written. */
export interface Entry {
  name: string
  content(): AsyncIterable<Uint8Array | string>
}

/** A ZIP as it comes into being, piece by piece. It fails when one of its entries does. */
export function zipOf(entries: readonly Entry[], made_at: Date): AsyncIterable<Uint8Array> {
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
  return output
}
