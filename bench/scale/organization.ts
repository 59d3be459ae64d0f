import { developers, sessions } from '@vrata/contract'
import { dataOf } from '../../testing/api-client.ts'
import { type Measured, measureOperation } from '../measure.ts'
import { startVrata } from '../targets.ts'
import type { Seeded } from './databases.ts'
import { type End, measureEnd } from './measure-end.ts'
import { prepare } from './people.ts'
import { profile } from './workloads.ts'

/** Requests at a time. */
const CONNECTIONS = 4

/** `rows` are the connections with its apps. */
export interface OrganizationEnd extends End {
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
    const busy: Measured[] = []
    const rows = {
      count: 'select count(*) as n from connections',
      remains: "select 1 from developers where name = 'Seed'",
    }
    dataOf(await site.owner(sessions.reauthenticate, { password: seeded.facts.password }))
    const end = await measureEnd(
      seeded,
      rows,
      () => site.owner(developers.deleteDeveloper, { name: 'Seed' }),
      async () => void busy.push(await round()),
    )
    return { ...end, quiet, busy }
  } finally {
    await target.stop()
  }
}
