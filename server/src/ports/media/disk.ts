import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Files } from './media.ts'

/** Files in a folder that nobody else on this machine may read. Several servers need to share it. */
export function diskFiles(folder: string): Files {
  return {
    async put(name, content) {
      const file = pathOf(folder, name)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Whoever opens it never sees half a file, and a full disk leaves none.
      const part = `${file}.part`
      try {
        await pipeline(
          Readable.from(content, { objectMode: false }),
          createWriteStream(part, { mode: 0o600, flush: true }),
        )
        const { size } = await stat(part)
        await rename(part, file)
        return size
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async open(name) {
      const file = await open(pathOf(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!file) return undefined
      const { size } = await file.stat()
      return { body: file.createReadStream({ autoClose: true }), bytes: size }
    },
    remove: (name) => rm(pathOf(folder, name), { force: true }),
  }
}

/** Names are ours, so anything that could lead elsewhere is a mistake of ours. */
function pathOf(folder: string, name: string): string {
  if (!/^[A-Za-z0-9_-]+\.[a-z]+$/.test(name)) throw new Error(`"${name}" is no name for a file here`)
  return join(folder, name)
}
