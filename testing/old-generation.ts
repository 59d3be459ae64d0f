import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

/** How often the work is done: at first until V8 has what it keeps for good, then while the bytes are counted. */
const TIMES = { before: 1000, counted: 10_000 }

/**
 * Bytes that a piece of work leaves in the old generation of V8, where they stay until a full collection (decision 0130). The work may be
 * asynchronous; it is done one after the other. What other tests of the thread have left may let V8 keep more (`fewestBytesLeftBy`).
 */
async function bytesLeftBy(work: () => unknown): Promise<number> {
  // Ends a collection that is under way: what is alive at any time of it stays until the next one.
  collect()
  const repeat = async (times: number) => {
    for (let i = 0; i < times; i += 1) await work()
    // Objects that survive two collections of the young generation are in the old one.
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  }
  const before = await repeat(TIMES.before)
  return ((await repeat(TIMES.counted)) - before) / TIMES.counted
}

/**
 * The fewest bytes of three times, for who expects few. Not until they are few: after some 200,000 calls V8 has compiled the work so that it makes no
 * object at all, and a fault is seen only sometimes.
 */
export async function fewestBytesLeftBy(work: () => unknown): Promise<number> {
  return Math.min(await bytesLeftBy(work), await bytesLeftBy(work), await bytesLeftBy(work))
}

/** Bytes that are in use for good after a piece of work, which takes its time. */
export async function bytesKeptBy(work: () => Promise<unknown>): Promise<number> {
  const inUse = () => {
    collect()
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = inUse()
  await work()
  return inUse() - before
}
