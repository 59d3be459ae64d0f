import { BACKUP_DRILLS } from './backup-drill.ts'
import { CLIENT_DRILLS } from './client-drills.ts'
import { CRASH_DRILLS } from './crash-drills.ts'
import { DISK_DRILLS } from './disk-drills.ts'
import { FAILOVER_DRILLS } from './failover-drill.ts'
import { KEY_DRILLS } from './key-drills.ts'
import { MIGRATION_DRILLS } from './migration-drills.ts'
import type { OneServerDrill } from './one-server.ts'
import { OUTSIDE_DRILLS } from './outside-drills.ts'
import { POSTGRES_DRILLS } from './postgres-drills.ts'
import { STORM_DRILLS } from './storm-drill.ts'

/** Faults of one machine. */
export const ONE_SERVER_DRILLS: Record<string, OneServerDrill> = {
  ...CRASH_DRILLS,
  ...DISK_DRILLS,
  ...POSTGRES_DRILLS,
  ...FAILOVER_DRILLS,
  ...MIGRATION_DRILLS,
  ...OUTSIDE_DRILLS,
  ...CLIENT_DRILLS,
  ...STORM_DRILLS,
  ...KEY_DRILLS,
  ...BACKUP_DRILLS,
}
