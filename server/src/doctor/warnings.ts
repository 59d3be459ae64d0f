import type { StatsFs } from 'node:fs'
import type { system } from '@vrata/contract'
import type { Config } from '../config/config.ts'
import type { DatabaseFacts } from '../db/inspect.ts'
import { causeMessage } from '../lib/error-message.ts'
import * as checks from './checks.ts'

/**
 * The checks of `vrata doctor` that fail, of those that ask no other server: a page shows them, and must not wait for a mail
 * server or a certificate.
 */
export async function listWarnings(
  config: Config,
  { database, space, backup }: { database: DatabaseFacts; space: Promise<StatsFs>; backup: checks.BackupFacts },
): Promise<system.Warning[]> {
  const probes: Record<system.WarningCheck, () => unknown> = {
    address: () => checks.checkAddress(config),
    proxies: () => checks.checkProxies(config),
    disk: async () => checks.checkDisk(config, await space),
    database: () => {
      if (database.problems.length > 0) throw new Error(database.problems.join('; '))
    },
    clock: () => checks.checkClock(database),
    backup: () => checks.checkBackup(config, backup),
  }
  const warnings: system.Warning[] = []
  for (const [check, probe] of Object.entries(probes) as [system.WarningCheck, () => unknown][]) {
    const says = await failureOf(probe)
    if (says !== undefined) warnings.push({ check, says })
  }
  return warnings
}

async function failureOf(probe: () => unknown): Promise<string | undefined> {
  try {
    await probe()
    return undefined
  } catch (error) {
    return error instanceof Error ? causeMessage(error) : String(error)
  }
}
