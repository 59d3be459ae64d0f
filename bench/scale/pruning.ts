import { join } from 'node:path'
import { type Measured, measureOperation, median } from '../measure.ts'
import { SERVER, startVrata } from '../targets.ts'
import type { Seeded } from './databases.ts'
import { prepare } from './people.ts'
import { refresh, userinfo } from './workloads.ts'

const EXPIRED = Number(process.env.EXPIRED ?? 1_000_000)
/** Requests at a time; few, so that the delay of a request is seen and not the queue before it. */
const CONNECTIONS = 4
const LONG_AGO = '2026-01-01T00:00:00.000Z'
const OLD = `from tokens where expires_at = '${LONG_AGO}'`

export interface Pruning {
  quiet: Rounds
  busy: Rounds
  /** Tokens that were deleted in a second. */
  per_second: number
}

type Rounds = { userinfo: Measured[]; refresh: Measured[] }

/** Adds a million expired tokens, and measures userinfo and refreshes on one server before and while it deletes them. */
export async function measurePruning(seeded: Seeded, seconds: number): Promise<Pruning> {
  const present = await count(seeded)
  if (present < EXPIRED) await seeded.run(expiredTokens(seeded, EXPIRED - present))
  const onRequest = ['--import', join(import.meta.dirname, 'prune-on-request.mjs')]
  const target = await startVrata({ database: seeded.database, data: seeded.data, program: [...onRequest, SERVER] })
  try {
    const site = await prepare(seeded, target)
    const operations = { userinfo: await userinfo(site), refresh: await refresh(site) }
    const round = async (to: Rounds) => {
      for (const name of ['userinfo', 'refresh'] as const)
        to[name].push(await measureOperation(target, operations[name], { connections: CONNECTIONS, seconds }))
    }
    const quiet = { userinfo: [], refresh: [] }
    const busy = { userinfo: [], refresh: [] }
    for (let n = 0; n < 5; n += 1) await round(quiet)
    const before = await count(seeded)
    const began = performance.now()
    process.kill(target.pid, 'SIGUSR2')
    while (await remains(seeded)) await round(busy)
    return { quiet, busy, per_second: (before * 1000) / (performance.now() - began) }
  } finally {
    await target.stop()
  }
}

async function count({ run }: Seeded): Promise<number> {
  const [row] = await run(`select count(*) as n ${OLD}`)
  return Number(row?.n)
}

async function remains({ run }: Seeded): Promise<boolean> {
  return (await run(`select 1 ${OLD} limit 1`)).length > 0
}

/** Copies of seeded tokens under hashes without a known token. */
function expiredTokens({ database }: Seeded, rows: number): string {
  const hash = database ? `replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')` : 'hex(randomblob(21))'
  const same = 'kind, connection_id, session_id, client_id, user_id, grant_id, payload'
  return `insert into tokens (token_hash, ${same}, created_at, expires_at)
    select substr(${hash}, 1, 43), ${same}, '${LONG_AGO}', '${LONG_AGO}'
    from tokens where kind = 'RefreshToken' and expires_at > '${LONG_AGO}' limit ${rows}`
}

/** Median and maximum of the 99th percentiles. */
export function p99Of(rounds: Measured[]): { median: number; most: number } {
  const all = rounds.map(({ p99 }) => p99)
  return { median: median(all), most: Math.max(...all) }
}
