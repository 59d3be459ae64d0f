import { activity, adminUsers, audit, sessions, statistics, users } from '@vrata/contract'
import { seedIds } from '../../server/src/seed/installation.ts'
import { apiClient, dataOf } from '../../testing/api-client.ts'
import { median } from '../measure.ts'
import { appOf, type Site, signedIn } from './people.ts'

/** Calls of each list on each site; the first ones are not counted. */
const RUNS = 20
const WARM = 3

type Ask = (site: Site) => Promise<{ ok: boolean }>

const userCursor = (site: Site, share: number) => seedIds.developerUser(Math.floor(site.seeded.users * share))
const searchCursor = (site: Site, term: string, share: number) =>
  Buffer.from(`${seedIds.user(Math.floor(site.seeded.users * share))} ${term}`).toString('base64url')
const people = (site: Site, query: object) => site.operator(adminUsers.listAdminUsers, query)
const listed = (site: Site, query: object) => site.owner(users.listUsers, query)

const LISTS: Record<string, Ask> = {
  'developer: users, first page': (site) => listed(site, {}),
  'developer: users, a page in the middle': (site) => listed(site, { cursor: userCursor(site, 0.5) }),
  'developer: users, oldest first, last page': (site) =>
    listed(site, { sort: 'oldest', cursor: userCursor(site, 0.99) }),
  'developer: users by name': (site) => listed(site, { sort: 'name' }),
  'developer: users of one app': (site) => listed(site, { client_id: 'vrt_seed3' }),
  'developer: users of one app by name': (site) => listed(site, { client_id: 'vrt_seed3', sort: 'name' }),
  'developer: blocked users': (site) => listed(site, { blocked: true }),
  'developer: search, a tenth of the people': (site) => listed(site, { query: 'ana' }),
  'developer: the same, a page in the middle': (site) =>
    listed(site, { query: 'ana', cursor: searchCursor(site, 'ana', 0.5) }),
  'developer: search, one person': (site) => listed(site, { query: 'person77@' }),
  'developer: search, two words': (site) => listed(site, { query: 'ana kovac' }),
  'developer: search, nobody': (site) => listed(site, { query: 'zzz' }),
  'developer: number of users': (site) => site.owner(users.countUsers),
  'developer: number of users of one app': (site) => site.owner(users.countUsers, { client_id: 'vrt_seed3' }),
  'developer: statistics of 90 days': (site) => site.owner(statistics.getDeveloperStatistics, { days: 90 }),
  'developer: one user': (site) => site.owner(users.getUser, { id: seedIds.user(site.active[500] ?? 0) }),
  'operator: people, first page': (site) => people(site, {}),
  'operator: people, a page in the middle': (site) =>
    people(site, { cursor: seedIds.user(Math.floor(site.seeded.users / 2)) }),
  'operator: active people': (site) => people(site, { status: 'active' }),
  'operator: unconfirmed people': (site) => people(site, { status: 'unconfirmed' }),
  'operator: disabled people': (site) => people(site, { status: 'disabled' }),
  'operator: people to be deleted': (site) => people(site, { status: 'deleting' }),
  'operator: search, a tenth of the people': (site) => people(site, { query: 'ana' }),
  'operator: search, everybody': (site) => people(site, { query: 'seed' }),
  'operator: search, one person': (site) => people(site, { query: 'person77@' }),
  'operator: search, two words': (site) => people(site, { query: 'ana kovac' }),
  'operator: search, disabled people': (site) => people(site, { query: 'ana', status: 'disabled' }),
  'operator: search, nobody': (site) => people(site, { query: 'zzz' }),
  'operator: one person': (site) => site.operator(adminUsers.getAdminUser, { id: seedIds.user(site.active[500] ?? 0) }),
  'operator: audit log': (site) => site.operator(audit.listAudit, {}),
}

/** Activity of a person who is active, with the cookies of their browser. */
async function activityLists(site: Site): Promise<Record<string, () => Promise<{ ok: boolean }>>> {
  const call = apiClient({ url: site.url, cookies: await signedIn(site, site.active[600] ?? 0) })
  const [oldest] = dataOf(await call(activity.listActivity, { type: 'CREATED_ACCOUNT' }))
  return {
    'person: activity, first page': () => call(activity.listActivity, {}),
    'person: activity, last page': () => call(activity.listActivity, { cursor: `${oldest?.id}0` }),
    'person: activity with one app': () =>
      call(activity.listActivity, { client_id: appOf(site, site.active[600] ?? 0, 0).client_id }),
  }
}

export interface ListResult {
  name: string
  small_ms: number
  large_ms: number
}

/** Medians of the times of complete calls, alternating between the sites. */
export async function measureLists(small: Site, large: Site, only: RegExp): Promise<ListResult[]> {
  // A long run outlives the access cookies.
  for (const { owner, operator } of [small, large])
    for (const call of [owner, operator]) await call(sessions.refresh, {})
  const own = [await activityLists(small), await activityLists(large)] as const
  const asks = (index: 0 | 1, site: Site) =>
    Object.entries({ ...own[index], ...Object.fromEntries(Object.entries(LISTS).map(([k, v]) => [k, () => v(site)])) })
  const onLarge = new Map(asks(1, large))
  const results: ListResult[] = []
  for (const [name, ask] of asks(0, small)) {
    if (!only.test(name)) continue
    const times = { small: [] as number[], large: [] as number[] }
    for (let run = 0; run < RUNS + WARM; run += 1) {
      const [a, b] = [await timed(name, ask), await timed(name, onLarge.get(name) ?? ask)]
      if (run < WARM) continue
      times.small.push(a)
      times.large.push(b)
      // A list that takes seconds is known after a few calls.
      if (b > 2000 && run > WARM + 3) break
    }
    results.push({ name, small_ms: median(times.small), large_ms: median(times.large) })
  }
  return results
}

async function timed(name: string, ask: () => Promise<{ ok: boolean }>): Promise<number> {
  const began = performance.now()
  const answer = await ask()
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer)}`)
  return performance.now() - began
}
