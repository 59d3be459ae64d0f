import { onTestFinished } from 'vitest'
import { openDatabase, type Store } from '../src/db/open.ts'
import { freshDatabase } from './template-db.ts'

/** A migrated database of the calling test's own, gone after it; `reported` collects errors nobody was there to catch. */
export async function openStore(): Promise<{
  store: Store
  reported: unknown[]
  dataDir: string
  url: string | undefined
}> {
  const { url, dataDir, remove } = await freshDatabase()
  const reported: unknown[] = []
  const store = await openDatabase({ url, dataDir, report: (error) => reported.push(error) })
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  return { store, reported, dataDir, url }
}
