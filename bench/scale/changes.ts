import { join } from 'node:path'
import { adminUsers, clientAccess, groups, scopes, sessions } from '@vrata/contract'
import { seedClient, seedIds } from '../../server/src/seed/installation.ts'
import { dataOf } from '../../testing/api-client.ts'
import { Browser } from '../browser.ts'
import { SERVER, startVrata } from '../targets.ts'
import type { Seeded } from './databases.ts'
import { prepare, type Site } from './people.ts'

/** The app to which all users are connected, and the app that defines the scope. */
const APP = 'vrt_seed0'
const API = 'vrt_seed1'
const GROUP = 'everyone'
const SCOPE = 'seed.read'

export interface Change {
  what: string
  /** Milliseconds of the call, its HTTP status, and the longest requests of others meanwhile: one that reads, one that writes. */
  call: number
  status: string
  read: number
  write: number
  /** Seconds until all rows are written. */
  seconds: number
}

/**
 * Changes objects on which all people of the large database depend: the rule of an app, a scope, a group and a person with many rows, one after the
 * other, and measures the call and the longest requests of others until all rows are written.
 */
export async function measureChanges(seeded: Seeded, only: RegExp): Promise<Change[]> {
  const person = await addDependents(seeded)
  const onRequest = ['--import', join(import.meta.dirname, 'prune-on-request.mjs')]
  const target = await startVrata({ database: seeded.database, data: seeded.data, program: [...onRequest, SERVER] })
  try {
    const site = await prepare(seeded, target)
    const { owner, operator } = site
    const id = seedIds.user(person)
    const rows = async (sql: string) => (await seeded.run(sql)).length === 0
    const named = { id: APP, mode: 'people' as const, people: ['nobody@seed.example'] }
    const leftIn = `select 1 from connections where client_id = '${APP}' and access_lost_at is null limit 1`
    const leftOut = `select 1 from connections where client_id = '${APP}' and access_lost_at is not null limit 1`
    const done: Change[] = []
    const change = async (what: string, left: string, call: () => Promise<{ ok: boolean }>) => {
      if (!only.test(what)) return
      dataOf(await owner(sessions.reauthenticate, { password: seeded.facts.password }))
      const one = await measured(site, what, () => rows(left), call)
      console.log(
        `| ${what} | ${one.status} | ${one.call.toFixed(0)} ms | ${one.read.toFixed(0)} ms | ${one.write.toFixed(0)} ms | ${one.seconds.toFixed(0)} s |`,
      )
      done.push(one)
    }
    const none = 'select 1 from settings where 1 = 0'
    await change('rule: all to some people', leftIn, () => owner(clientAccess.setAccess, named))
    await change('rule: everybody again', leftOut, () => owner(clientAccess.setAccess, { id: APP, mode: 'everyone' }))
    await change('rule: a group of all', none, () =>
      owner(clientAccess.setAccess, { id: APP, mode: 'groups', groups: [GROUP] }),
    )
    await change('scope removed', `select 1 from scopes where key = '${SCOPE}'`, () =>
      owner(scopes.removeScope, { id: API, key: SCOPE }),
    )
    await change('group deleted', `select 1 from groups where key = '${GROUP}' union all ${leftIn}`, () =>
      operator(groups.deleteGroup, { key: GROUP }),
    )
    const open = `select 1 from sessions where user_id = '${id}' and ended_at is null limit 1`
    await change('person disabled', open, () => operator(adminUsers.disableUser, { id, reason: 'A test.' }))
    await change('deletion of a person scheduled', none, () => operator(adminUsers.deleteUser, { id }))
    await seeded.run(`update account_deletions set due_at = '2026-01-01T00:00:00.000Z' returning user_id`)
    await change('person deleted', `select 1 from users where id = '${id}'`, async () => {
      process.kill(target.pid, 'SIGUSR2')
      return { ok: true }
    })
    return done
  } finally {
    await target.stop()
  }
}

async function measured(
  { url, active, seeded }: Site,
  what: string,
  complete: () => Promise<boolean>,
  call: () => Promise<{ ok: boolean }>,
): Promise<Change> {
  let over = false
  const longest = async (request: () => Promise<unknown>) => {
    let most = 0
    while (!over) {
      const began = performance.now()
      await request().catch(() => {})
      most = Math.max(most, performance.now() - began)
    }
    return most
  }
  const browser = new Browser(url, new Map())
  const basic = Buffer.from(`${seedClient({ apps: 20 }, 2, 0)}:${seeded.facts.client_secret}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  const read = longest(() =>
    fetch(`${url}/oauth/token/introspection`, { method: 'POST', headers, body: new URLSearchParams({ token: 'x' }) }),
  )
  let n = 0
  // A wrong password is counted in the database, and costs a hash.
  const write = longest(() => {
    n += 1
    const body = JSON.stringify({
      username: `nobody${active[n % active.length]}@x.example`,
      password: 'wrong-password',
    })
    return browser.request('POST', '/v1/auth/login', { body, type: 'application/json' })
  })
  const began = performance.now()
  const answer = await call()
  const took = performance.now() - began
  const until = performance.now() + 600_000
  while (!(await complete()) && performance.now() < until && answer.ok)
    await new Promise((done) => setTimeout(done, 200))
  const seconds = (performance.now() - began) / 1000
  over = true
  const status = answer.ok ? 'ok' : JSON.stringify(answer).slice(0, 80)
  return { what, call: took, status, read: await read, write: await write, seconds }
}

/** Adds, once: a group of all people, a connection of each with one app, with a scope of another, and a person with many rows. */
async function addDependents({ run, users }: Seeded): Promise<number> {
  const person = Math.floor(users / 2) + 7
  if ((await run(`select 1 from sessions where id = 'many-1'`)).length > 0) return person
  const at = `'2026-11-01T00:00:00.000Z'`
  const id = `'${seedIds.user(person)}'`
  const first = `(select min(id) from connections group by user_id)`
  const columns = 'declined, created_at, updated_at, last_used_at, blocked_at, access_lost_at, sort_name'
  const session = `token_hash, previous_hash, previous_until, access_hash`
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)`
  // Each was used at another time.
  const seen = `substr(last_seen_at, 1, 11) || substr('0' || (i / 3600 % 24), -2) || ':' || substr('0' || (i / 60 % 60), -2) || ':' || substr('0' || (i % 60), -2) || '.000Z'`
  const like =
    'methods, os, browser, location, ip, developer_id, created_at, last_seen_at, idle_until, expires_at, ended_at, unknown_since, device_id, next_step'
  await run(
    `insert into groups (key, name, description, search, created_at) values ('${GROUP}', 'Everyone', '', 'everyone', ${at}) returning key`,
  )
  await run(`insert into group_members (group_key, user_id, added_at) select '${GROUP}', id, ${at} from users`)
  await run(`update users set groups = '["${GROUP}"]'`)
  await run(
    `insert into scopes (key, client_id, sensitive, required, search, created_at) values ('${SCOPE}', '${API}', 0, 0, '${SCOPE}', ${at})`,
  )
  await run(`insert into scope_texts (key, locale, title, description) values ('${SCOPE}', 'en-US', 'Read', 'All.')`)
  await run(`insert into client_scopes (key, client_id) values ('${SCOPE}', '${APP}')`)
  await run(`update clients set scope_prefix = 'seed' where client_id = '${API}'`)
  await run(`update clients set scopes = '["openid","profile","email","${SCOPE}"]' where client_id = '${APP}'`)
  await run(`insert into connections (id, user_id, client_id, scopes, ${columns})
    select 'z' || substr(id, 2), user_id, '${APP}', scopes, ${columns} from connections
    where id in ${first} and user_id not in (select user_id from connections where client_id = '${APP}')`)
  await run(`update connections set scopes = '["openid","profile","email","${SCOPE}"]' where client_id = '${APP}'`)
  await run(
    `insert into connection_scopes (key, connection_id) select '${SCOPE}', id from connections where client_id = '${APP}'`,
  )
  await run(`insert into tokens (token_hash, kind, connection_id, session_id, client_id, user_id, grant_id, payload, created_at, expires_at)
    select '!' || substr(token_hash, 2), kind, 'z' || substr(connection_id, 2), session_id, '${APP}', user_id,
      'z' || substr(grant_id, 2), payload, created_at, expires_at
    from tokens where connection_id in (select '0' || substr(id, 2) from connections where id > 'z')`)
  await run(`insert into sessions (id, user_id, authenticated_at, access_until, ${like}, ${session})
    ${numbers} select 'many-' || i, user_id, authenticated_at, access_until, ${like.replace('last_seen_at', seen)}, 'many-' || i, null, null, 'many-a' || i
    from n cross join (select * from sessions where user_id = ${id} limit 1) as one`)
  await run(`insert into tokens (token_hash, kind, connection_id, session_id, client_id, user_id, grant_id, payload, created_at, expires_at)
    ${numbers} select 'many-' || i, kind, connection_id, 'many-' || i, client_id, user_id, connection_id || '.many-' || i, payload, created_at, expires_at
    from n cross join (select * from tokens where user_id = ${id} limit 1) as one`)
  await run(`insert into activities (id, user_id, type, created_at, session_id, os, browser, ip)
    ${numbers} select 'many-' || i, user_id, type, created_at, 'many-' || i, os, browser, ip
    from n cross join (select * from activities where user_id = ${id} limit 1) as one`)
  await run('analyze')
  return person
}
