import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { flushFolder } from '../../lib/flush-folder.ts'
import { checkedName, type Files, FilesUnavailable } from './files.ts'

/** Files in a folder with mode 0700. Several servers must share it. */
export function diskFiles(folder: string): Files {
  return {
    async put(name, content) {
      const file = pathOf(folder, name)
      // Renamed when complete, so that readers never see a partial file and a full disk leaves none.
      const part = `${file}.part`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await pipeline(
          Readable.from(content, { objectMode: false }),
          createWriteStream(part, { mode: 0o600, flush: true }),
        )
        const { size } = await stat(part)
        await rename(part, file)
        await flushFolder(folder)
        return size
      } catch (error) {
        await rm(part, { force: true }).catch(() => {})
        throw unavailable(error)
      }
    },
    async open(name) {
      const file = await open(pathOf(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw unavailable(error)
      })
      if (!file) return undefined
      const { size } = await file.stat()
      return { body: file.createReadStream({ autoClose: true }), bytes: size }
    },
    async remove(name) {
      const file = pathOf(folder, name)
      try {
        await rm(file, { force: true })
        // Of a process that was killed while it wrote the file.
        await rm(`${file}.part`, { force: true })
      } catch (error) {
        throw unavailable(error)
      }
    },
  }
}

/** An error of the operating system: a disk that is full or away. The call may succeed later, and the log has the cause. */
function unavailable(cause: unknown): unknown {
  const isOfSystem = (cause as NodeJS.ErrnoException).errno !== undefined
  return isOfSystem ? new FilesUnavailable(cause) : cause
}

function pathOf(folder: string, name: string): string {
  return join(folder, checkedName(name))
}
