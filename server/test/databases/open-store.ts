import { onTestFinished } from 'vitest'
import { openDatabase, type Store } from '../../src/db/open.ts'
import { freshRows } from './template-db.ts'

/** A migrated database for the calling test, removed after it; `reported` collects errors of hooks and listeners. */
export async function openStore(): Promise<{
  store: Store
  reported: unknown[]
  dataDir: string
  url: string | undefined
}> {
  const { url, dataDir, connect, remove } = await freshRows()
  const reported: unknown[] = []
  const store = await openDatabase({
    url,
    dataDir,
    connect,
    report: (error) => reported.push(error),
    assertLockOrder: true,
  })
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  return { store, reported, dataDir, url }
}
