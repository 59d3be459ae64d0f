import type { ReadDb } from '../../db/open.ts'
import * as store from './store.ts'

/** Requests per query. */
const STEP = 1000

/** Names of the files of all archives that can be downloaded, for a backup. */
export async function* listArchiveFiles(db: ReadDb): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const requests = await store.listReadyFiles(db, after, STEP)
    for (const { file } of requests) if (file !== null) yield file
    const last = requests.at(-1)
    if (last === undefined || requests.length < STEP) return
    after = last.id
  }
}
