import type { Config } from './config/config.ts'
import { databaseBytes, inspectDatabase } from './db/inspect.ts'
import type { Store } from './db/open.ts'
import { readBackupFacts } from './doctor/checks.ts'
import { readDiskSpace } from './doctor/disk-space.ts'
import { listWarnings } from './doctor/warnings.ts'
import type { InstallationState } from './features/extension-points.ts'
import { VERSION } from './version.ts'

/** State of server, database and disk for the overview of operators (operators §2). */
export function installationState(
  config: Config,
  store: Pick<Store, 'engine' | 'db'>,
  readSpace = readDiskSpace,
): InstallationState {
  return {
    async read() {
      const space = readSpace(config.data_dir)
      const [database, bytes, disk, backup] = await Promise.all([
        inspectDatabase(store.engine, store.db),
        databaseBytes(store.engine, store.db),
        space.catch(() => null),
        readBackupFacts(store.db),
      ])
      return {
        version: VERSION,
        database: { version: database.version, bytes },
        disk: disk && { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize },
        warnings: await listWarnings(config, { database, space, backup }),
      }
    },
  }
}
