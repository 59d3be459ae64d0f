import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { type Installation, seedInstallation } from '../../installation.ts'
import { startVrata, type VrataOptions, type VrataTarget } from '../../targets.ts'
import { type Figures, Load } from '../load.ts'

/** A fault of one machine, on one server with SQLite if nothing else is said. */
export type OneServerDrill = {
  says: string
  /** Requirements of the drill that this machine lacks, as a sentence; undefined when it can run. */
  missing?(): string | undefined
  /** Does the damage under load, and resolves with what was seen. */
  run(): Promise<Outcome>
}

/** `wanted`: what must hold besides that nothing is lost and no code is redeemed twice. */
export type Outcome = { figures?: Figures; seen: Record<string, number | string>; wanted: Record<string, boolean> }

type Given = VrataOptions & {
  workers?: number
  /** Where mails are found, when a mail server is set. */
  outbox?: string
  /** Is called while the load goes on. */
  damage(target: VrataTarget, installation: Installation): Promise<Record<string, number | string>>
  /** Is called when the load has ended. */
  afterwards?(target: VrataTarget): Promise<Record<string, number | string>>
}

/** Seconds of load before and after the damage. */
const AROUND = 3

/** Starts a server and load, does the damage, and resolves with what clients have seen and what the two functions return. */
export async function underLoad({ workers = 6, outbox, damage, afterwards, ...options }: Given) {
  const target = await startVrata(options)
  try {
    const installation = await seedInstallation({ url: target.url, outbox: outbox ?? target.outbox })
    const load = new Load(installation, { workers })
    await pause(AROUND * 1000)
    load.damaged()
    const seen = await damage(target, installation)
    await pause(AROUND * 1000)
    const figures = await load.stop()
    return { figures, seen: { ...seen, ...(await afterwards?.(target)) } }
  } finally {
    await target.stop()
  }
}

/** `ok`, or what SQLite finds wrong with the file of a server. */
export async function integrityOf({ data }: VrataTarget): Promise<{ integrity: string }> {
  const database = new DatabaseSync(join(data, 'vrata.sqlite'), { readOnly: true })
  const rows = ['integrity_check', 'foreign_key_check'].flatMap((name) => database.prepare(`pragma ${name}`).all())
  database.close()
  return { integrity: rows.map((row) => Object.values(row).join(' ')).join('; ') }
}

/** The value that so large a part of them do not exceed. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
}
