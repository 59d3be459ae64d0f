import { developers, sessions } from '@vrata/contract'
import { dataOf } from '../../testing/api-client.ts'
import { type Measured, measureOperation } from '../measure.ts'
import { startVrata } from '../targets.ts'
import type { Seeded } from './databases.ts'
import { prepare } from './people.ts'
import { profile } from './workloads.ts'

/** Requests at a time. */
const CONNECTIONS = 4

export interface OrganizationEnd {
  /** Connections with its apps. */
  rows: number
  /** Milliseconds of the call. */
  call: number
  /** Seconds until all rows are deleted. */
  seconds: number
  /** Profiles before, and from the call until all rows are deleted. */
  quiet: Measured[]
  busy: Measured[]
}

/** Deletes the organization of all apps, and measures requests of its users to their accounts before and meanwhile. */
export async function measureOrganization(seeded: Seeded, seconds: number): Promise<OrganizationEnd> {
  const target = await startVrata({ database: seeded.database, data: seeded.data })
  try {
    const site = await prepare(seeded, target)
    const round = async () => await measureOperation(target, await profile(site), { connections: CONNECTIONS, seconds })
    const quiet: Measured[] = []
    for (let n = 0; n < 5; n += 1) quiet.push(await round())
    const [before] = await seeded.run('select count(*) as n from connections')
    dataOf(await site.owner(sessions.reauthenticate, { password: seeded.facts.password }))
    const began = performance.now()
    const deleted = site.owner(developers.deleteDeveloper, { name: 'Seed' }).then((answer) => {
      if (!answer.ok) throw new Error(`The organization was not deleted: ${JSON.stringify(answer)}`)
      return performance.now() - began
    })
    const busy = [await round()]
    const call = await deleted
    const remains = async () => (await seeded.run("select 1 from developers where name = 'Seed'")).length > 0
    while (await remains()) busy.push(await round())
    return { rows: Number(before?.n), call, seconds: (performance.now() - began) / 1000, quiet, busy }
  } finally {
    await target.stop()
  }
}
