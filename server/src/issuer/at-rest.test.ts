import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createOrganization } from '../../test/organization.ts'
import { jadrolet, people } from '../../test/people.ts'
import { startTestServer } from '../../test/test-server.ts'
import { allow, authorize, codeFor, post, proofKey, refresh, signInTo } from '../../test/third-party.ts'

test('stores no token, code, cookie, interaction or private key in plain (protocol §3.5)', async () => {
  const server = await startTestServer()
  const ana = await server.as(people.ana)
  const app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  const challenge = { code_challenge: proofKey().challenge, code_challenge_method: 'S256' }

  const secrets = new Map<string, string>()
  const { code } = await codeFor(ana, app)
  const tokens = await signInTo(server, ana, app)
  const next = (await refresh(server, app, tokens.refresh_token)).json()
  const interaction = await authorize(ana, app, { prompt: 'consent', id_token_hint: tokens.id_token })
  const signOut = await ana.request({ url: `/end-session?${new URLSearchParams({ id_token_hint: tokens.id_token })}` })
  const { client_id } = app
  const pushedRequest = {
    client_id,
    response_type: 'code',
    redirect_uri: jadrolet.redirect_uri,
    scope: 'openid',
    ...challenge,
  }
  const pushed = (await post(server, app, '/par', pushedRequest)).json()
  secrets.set('request sent ahead', (pushed.request_uri as string).split(':').at(-1) as string)
  secrets.set('code', code)
  for (const [name, value] of Object.entries({ ...tokens, ...next })) {
    if (name.endsWith('_token')) secrets.set(name, value as string)
  }
  secrets.set('first access token', tokens.access_token)
  secrets.set('first refresh token', tokens.refresh_token)
  secrets.set('signature of the hint', tokens.id_token.split('.')[2] as string)
  secrets.set('request', interaction.pathname.split('/')[2] as string)
  secrets.set('sign-out', /name="xsrf" value="(\w+)"/.exec(signOut.body)?.[1] as string)
  secrets.set('client secret', app.client_secret as string)
  for (const [name, value] of ana.cookies) if (name !== 'language') secrets.set(name, value)
  for (const [name, value] of secrets) expect(value?.length, name).toBeGreaterThan(20)

  const dump = await dumpOf(server.store)
  expect(dump).toContain(people.ana.email)
  expect([...secrets].filter(([, value]) => dump.includes(value)).map(([name]) => name)).toEqual([])
  expect(dump).not.toMatch(/"d":/)
  await server.close()
})

async function dumpOf({ db, engine }: Awaited<ReturnType<typeof startTestServer>>['store']): Promise<string> {
  const names =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`
  const { rows: tables } = await names.execute(db)
  const dumps = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)))
  return JSON.stringify(dumps.map(({ rows }) => rows)).replaceAll('\\"', '"')
}
