import { clients, sessions } from '@vrata/contract'
import { dataOf } from '../../testing/api-client.ts'
import { type Measured, measureOperation } from '../measure.ts'
import { startVrata } from '../targets.ts'
import type { Seeded } from './databases.ts'
import { type End, measureEnd, type Rows } from './measure-end.ts'
import { prepare, type Site } from './people.ts'
import { refresh, userinfo } from './workloads.ts'

/** Numbers of the apps that are ended, for example `16,17` where `18,19` have ended already. Their tokens are not used meanwhile. */
const [disabled, deleted] = (process.env.ENDED ?? '18,19').split(',').map((n) => `vrt_seed${n}`)
const ENDED = { disabled: disabled ?? '', deleted: deleted ?? '' }
/** Requests at a time. */
const CONNECTIONS = 4

export interface Ending extends End {
  what: string
  /** Userinfo and refreshes meanwhile. */
  busy: { userinfo: Measured[]; refresh: Measured[] }
}

/** Disables an app and deletes another one, and measures requests to the others before and while their rows are deleted. */
export async function measureEnding(
  seeded: Seeded,
  seconds: number,
): Promise<{ quiet: Ending['busy']; ends: Ending[] }> {
  const target = await startVrata({ database: seeded.database, data: seeded.data })
  try {
    const prepared = await prepare(seeded, target)
    const site = { ...prepared, avoided: [...prepared.avoided, ...Object.values(ENDED)] }
    const tokens = `select count(*) as n from tokens where client_id = '${ENDED.disabled}'`
    const connections = `select count(*) as n from connections where client_id = '${ENDED.deleted}'`
    const marked = `select 1 from clients where client_id = '${ENDED.disabled}' and tokens_ended_at is not null`
    const present = `select 1 from clients where client_id = '${ENDED.deleted}'`
    const quiet = none()
    for (let round = 0; round < 5; round += 1) await measureRound(site, quiet, seconds)
    const ends = [
      await ending(site, 'disabled, tokens', { count: tokens, remains: marked }, seconds, () =>
        site.owner(clients.updateClientInfo, { id: ENDED.disabled, enabled: false }),
      ),
    ]
    // The first part may outlive the access cookie.
    dataOf(await site.owner(sessions.refresh, {}))
    dataOf(await site.owner(sessions.reauthenticate, { password: seeded.facts.password }))
    ends.push(
      await ending(site, 'deleted, connections', { count: connections, remains: present }, seconds, () =>
        site.owner(clients.deleteClient, { id: ENDED.deleted }),
      ),
    )
    return { quiet, ends }
  } finally {
    await target.stop()
  }
}

const none = (): Ending['busy'] => ({ userinfo: [], refresh: [] })

async function ending(
  site: Site,
  what: string,
  rows: Rows,
  seconds: number,
  end: () => Promise<{ ok: boolean }>,
): Promise<Ending> {
  const busy = none()
  return { what, busy, ...(await measureEnd(site.seeded, rows, end, () => measureRound(site, busy, seconds))) }
}

async function measureRound(site: Site, to: Ending['busy'], seconds: number): Promise<void> {
  const load = { connections: CONNECTIONS, seconds }
  to.userinfo.push(await measureOperation(site.target, await userinfo(site), load))
  to.refresh.push(await measureOperation(site.target, await refresh(site), load))
}
