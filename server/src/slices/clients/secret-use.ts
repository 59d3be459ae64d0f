import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { markSecretUsed } from './store.ts'

/** Seconds for which one use stands for all: nobody needs it finer, and a busy app must not write with every call. */
const COARSE = 60

/** What is known of an app's secret; shared by the requests of a process. */
interface Used {
  client_id: string
  secret_hash: string | null
  secret_last_used_at: string | null
}

/** The secret has just been used: the write that says so, unless a minute has not yet passed since the last one. */
export function noteSecretUse(client: Used, now: Date): ((deps: Deps) => Promise<void>) | undefined {
  const before = timeAfter(now, -COARSE)
  if (client.secret_last_used_at !== null && client.secret_last_used_at > before) return undefined
  client.secret_last_used_at = toTime(now)
  return ({ db }) => markSecretUsed(db, client, { now: toTime(now), before })
}
