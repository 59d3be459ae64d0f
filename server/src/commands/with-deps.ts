import { join } from 'node:path'
import { openCommandLog } from '../adapters/log.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config/config.ts'
import { refuseMissing } from '../db/copy/snapshot.ts'
import { FILE } from '../db/open.ts'
import type { AppDeps } from '../deps.ts'
import { checkSecret, openAdapters } from '../main.ts'
import { CommandError } from './command-error.ts'

/** Opens what a command needs, beside a running server or without one, and closes it afterwards. */
export async function withDeps(config: Config, work: (deps: AppDeps) => Promise<void>): Promise<void> {
  const { adapters, store } = await openInstallation(config)
  try {
    const { app, deps } = await buildApp({ adapters, store, pages: false })
    try {
      await work(deps)
    } finally {
      await app.close()
      await adapters.realtime.sent()
    }
  } finally {
    await store.close()
  }
}

type Opened = Awaited<ReturnType<typeof openAdapters>>

/** Opens a database that exists; a file of SQLite is not created. The caller closes the store. */
export async function openExisting(config: Config): Promise<Opened> {
  if (config.database_url === undefined) refuseMissing(join(config.data_dir, FILE))
  return await openAdapters(config, openCommandLog(config.log_level))
}

/** Opens an installation of this version with its secret. The caller closes the store. */
export async function openInstallation(config: Config): Promise<Opened> {
  const opened = await openExisting(config)
  const { adapters, store } = opened
  try {
    if ((await store.pendingMigrations()).length > 0)
      throw new CommandError(
        'The database has not been migrated to this version. Start the server, or run "vrata migrate".',
      )
    await checkSecret(adapters, store)
    return opened
  } catch (error) {
    await store.close()
    throw error
  }
}
