import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { within } from '../lib/waiting/within.ts'

/** Milliseconds for the disk. */
const PATIENCE = 5000

/** Folders whose disk was asked and has not answered yet. */
const asked = new Map<string, Promise<StatsFs>>()

/**
 * The space of a folder; while it is missing, because nothing is stored in it, of the one that it will be in. A disk that does not answer, such as a
 * network disk that is away, is asked once only: each question keeps a thread.
 */
export async function readDiskSpace(folder: string, ask = statfs as Ask, patience = PATIENCE): Promise<StatsFs> {
  const asking = asked.get(folder) ?? spaceOf(folder, ask).finally(() => asked.delete(folder))
  asked.set(folder, asking)
  const late = () => new Error(`the disk of ${folder} has not answered for ${patience / 1000} seconds; is it away?`)
  return await within(patience, asking, late)
}

type Ask = (folder: string) => Promise<StatsFs>

async function spaceOf(folder: string, ask: Ask): Promise<StatsFs> {
  try {
    return await ask(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return await spaceOf(dirname(folder), ask)
  }
}
