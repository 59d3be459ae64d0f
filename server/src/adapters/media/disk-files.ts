import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '../../lib/flush-folder.ts'
import { BoundedQueue } from '../../lib/waiting/bounded-queue.ts'
import { fileBody, inTime, NoAnswer } from './file-body.ts'
import { checkedName, type Files, FilesUnavailable } from './files.ts'

/**
 * Fewer at the same time than Node.js has threads for files, passwords and names of hosts, which is 4 at least: each operation on a shared folder that
 * hangs keeps its thread (decision 0014).
 */
const operations = new BoundedQueue({ atOnce: 3, waiting: 10_000, patience: 5000 })

/** Bytes that are read at once. */
const PIECE = 64 * 1024

/** Files in a folder with mode 0700. Several servers must share it. */
export function diskFiles(folder: string): Files {
  return {
    async put(name, content) {
      const file = pathOf(folder, name)
      // Renamed when complete, so that readers never see a partial file and a full disk leaves none.
      const part = `${file}.part`
      try {
        await onDisk(() => mkdir(folder, { recursive: true, mode: 0o700 }))
        const bytes = await write(part, content)
        await onDisk(() => rename(part, file))
        await onDisk(() => flushFolder(folder))
        return bytes
      } catch (error) {
        await onDisk(() => rm(part, { force: true })).catch(() => {})
        throw unavailable(error)
      }
    },
    async open(name) {
      const file = await opened(pathOf(folder, name), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw unavailable(error)
      })
      if (!file) return undefined
      const close = () => void file.close().catch(() => {})
      const next = async () => {
        const { bytesRead, buffer } = await onDisk(() => file.read(Buffer.allocUnsafe(PIECE), 0, PIECE))
        return bytesRead > 0 ? buffer.subarray(0, bytesRead) : undefined
      }
      try {
        const { size } = await onDisk(() => file.stat())
        return { body: fileBody(next, close), bytes: size }
      } catch (error) {
        close()
        throw unavailable(error)
      }
    },
    async remove(name) {
      const file = pathOf(folder, name)
      try {
        await onDisk(() => rm(file, { force: true }))
        // Left by a process that was killed while it wrote the file.
        await onDisk(() => rm(`${file}.part`, { force: true }))
      } catch (error) {
        throw unavailable(error)
      }
    },
  }
}

/** Writes a file to the disk; resolves with its size in bytes. */
async function write(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await opened(path, 'w')
  let bytes = 0
  try {
    for await (const piece of content) {
      await onDisk(() => file.writeFile(piece))
      bytes += piece.length
    }
    await onDisk(() => file.sync())
  } finally {
    await inTime(file.close())
  }
  return bytes
}

async function opened(path: string, flags: 'r' | 'w'): Promise<FileHandle> {
  const opening = operations.run(() => open(path, flags, 0o600))
  return await inTime(opening).catch((error) => {
    // Closes the file of a folder that answers later.
    opening.then((file) => file.close()).catch(() => {})
    throw error
  })
}

/** Rejects when the folder does not answer; the operation is not canceled. */
async function onDisk<T>(operation: () => Promise<T>): Promise<T> {
  return await inTime(operations.run(operation))
}

/** An error of the operating system: a disk that is full or away. The call may succeed later, and the log has the cause. */
function unavailable(cause: unknown): unknown {
  const isOfSystem = cause instanceof NoAnswer || (cause as NodeJS.ErrnoException).errno !== undefined
  return isOfSystem ? new FilesUnavailable(cause) : cause
}

function pathOf(folder: string, name: string): string {
  return join(folder, checkedName(name))
}
