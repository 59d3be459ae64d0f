import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { allow, authorize, codeFor, post, proofKey, refresh, signInTo } from '../../test/third-party.ts'

test('no token, code, cookie, waiting request or private key stands in the database as it is (hazard 5)', async () => {
  const house = await openHouse()
  const ana = await house.as(people.ana)
  const app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
  const challenge = { code_challenge: proofKey().challenge, code_challenge_method: 'S256' }

  const secrets = new Map<string, string>()
  const { code } = await codeFor(ana, app)
  const tokens = await signInTo(house, ana, app)
  const next = (await refresh(house, app, tokens.refresh_token)).json()
  const waiting = await authorize(ana, app, { prompt: 'consent', id_token_hint: tokens.id_token })
  const signOut = await ana.request({ url: `/end-session?${new URLSearchParams({ id_token_hint: tokens.id_token })}` })
  const { client_id } = app
  const ahead = { client_id, response_type: 'code', redirect_uri: jadrolet.redirect_uri, scope: 'openid', ...challenge }
  const pushed = (await post(house, app, '/par', ahead)).json()
  secrets.set('request sent ahead', (pushed.request_uri as string).split(':').at(-1) as string)
  secrets.set('code', code)
  for (const [name, value] of Object.entries({ ...tokens, ...next })) {
    if (name.endsWith('_token')) secrets.set(name, value as string)
  }
  secrets.set('first access token', tokens.access_token)
  secrets.set('first refresh token', tokens.refresh_token)
  secrets.set('signature of the hint', tokens.id_token.split('.')[2] as string)
  secrets.set('request', waiting.pathname.split('/')[2] as string)
  secrets.set('sign-out', /name="xsrf" value="(\w+)"/.exec(signOut.body)?.[1] as string)
  secrets.set('client secret', app.client_secret as string)
  for (const [name, value] of ana.cookies) if (name !== 'language') secrets.set(name, value)
  for (const [name, value] of secrets) expect(value?.length, name).toBeGreaterThan(20)

  const dump = await dumpOf(house.store)
  expect(dump).toContain(people.ana.email)
  expect([...secrets].filter(([, value]) => dump.includes(value)).map(([name]) => name)).toEqual([])
  expect(dump).not.toMatch(/"d":/)
  await house.close()
})

async function dumpOf({ db, engine }: Awaited<ReturnType<typeof openHouse>>['store']): Promise<string> {
  const names =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  const { rows: tables } = await names.execute(db)
  const dumps = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)))
  return JSON.stringify(dumps.map(({ rows }) => rows)).replaceAll('\\"', '"')
}
