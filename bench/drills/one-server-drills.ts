import { CRASH_DRILLS } from './crash-drills.ts'
import { DISK_DRILLS } from './disk-drills.ts'
import type { OneServerDrill } from './one-server.ts'
import { OUTSIDE_DRILLS } from './outside-drills.ts'

/** Faults of one machine. */
export const ONE_SERVER_DRILLS: Record<string, OneServerDrill> = { ...CRASH_DRILLS, ...DISK_DRILLS, ...OUTSIDE_DRILLS }
