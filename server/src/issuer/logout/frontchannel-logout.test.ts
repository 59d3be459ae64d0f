import { clients, sessions } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, signInTo, type ThirdParty } from '../../../test/third-party.ts'

/** OpenID Connect Front-Channel Logout 1.0 */
let server: TestServer
let ana: SignedIn
let organization: Organization
let jadrolet: ThirdParty
let burja: ThirdParty
let moved: ThirdParty
let disabled: ThirdParty
const BACK = 'http://localhost:4000/bye'

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  jadrolet = await appOf('Jadrolet', 'http://localhost:4000', { post_logout_redirect_uris: [BACK] })
  burja = await appOf('Burja', 'https://burja.example', { frontchannel_logout_session_required: false })
  moved = await appOf('Moved', 'https://moved.example')
  disabled = await appOf('Disabled', 'https://disabled.example')
})
afterAll(() => server?.close())

/** An app that its user has allowed, with a front-channel logout URI at its origin. */
async function appOf(name: string, origin: string, settings: Partial<clients.Advanced> = {}): Promise<ThirdParty> {
  const redirect_uri = `${origin}/callback`
  const app = await organization.app({ name, redirect_uri })
  const answer = await ana.call(clients.updateAdvanced, {
    id: app.client_id,
    frontchannel_logout_uri: `${origin}/out;now,please?from=vrata`,
    ...settings,
  })
  expect(answer).toMatchObject({ ok: true })
  await allow(ana, { ...app, redirect_uri })
  return { ...app, redirect_uri }
}

/** Ana in another browser, signed in to the apps. Resolves with the `sid` of each. */
async function signedInTo(...apps: ThirdParty[]) {
  const person = await server.as(people.ana)
  const sids = []
  for (const app of apps) sids.push(decodeJwt((await signInTo(server, person, app)).id_token).sid as string)
  return { person, sids }
}

async function signOut(person: SignedIn): Promise<string | undefined> {
  const answer = await person.call(sessions.logout, {})
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.redirect_to
}

const framesIn = (html: string) =>
  [...html.matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(([, src = '']) => new URL(src.replaceAll('&amp;', '&')))
const targetIn = (html: string) => /<p><a href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

describe('the page after a sign-out', () => {
  test('loads the address of each app of the session in a frame, with iss and sid where the app wants them', async () => {
    const { person, sids } = await signedInTo(jadrolet, burja)
    const page = await person.request({ url: (await signOut(person)) ?? '' })
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
    const frames = framesIn(page.body)
    const ofJadrolet = frames.find(({ host }) => host === 'localhost:4000')
    const ofBurja = frames.find(({ host }) => host === 'burja.example')
    expect(frames).toHaveLength(2)
    expect(Object.fromEntries(ofJadrolet?.searchParams ?? [])).toEqual({
      from: 'vrata',
      iss: server.config.url,
      sid: sids[0],
    })
    expect(ofBurja?.href).toBe('https://burja.example/out;now,please?from=vrata')
    expect(page.body).toContain('Jadrolet')
    expect(page.body).toContain('Burja')
    // The frames may not navigate the page, and nothing else may be framed.
    expect(page.body.match(/sandbox="allow-scripts allow-same-origin"/g)).toHaveLength(2)
    const policy = String(page.headers['content-security-policy']).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(
      policy
        .find((directive) => directive.startsWith('frame-src '))
        ?.split(' ')
        .sort(),
    ).toEqual(['frame-src', 'http://localhost:4000/out%3Bnow%2Cplease', 'https://burja.example/out%3Bnow%2Cplease'])
    expect(targetIn(page.body)).toBe('/login?skip=true')
  })

  test('is shown once', async () => {
    const { person } = await signedInTo(jadrolet)
    const url = (await signOut(person)) ?? ''
    const [first, second] = await Promise.all([person.request({ url }), person.request({ url })])
    const answers = [first, second].map(({ statusCode, headers }) => [statusCode, headers.location])
    expect(answers.sort()).toEqual([
      [200, undefined],
      [303, '/end-session/success'],
    ])
  })

  test('expires after five minutes', async () => {
    const { person } = await signedInTo(jadrolet)
    const url = (await signOut(person)) ?? ''
    server.clock.advance(301)
    expect((await person.request({ url })).headers.location).toBe('/end-session/success')
  })

  test('continues to a page of ours alone', async () => {
    for (const [redirect, target] of [
      ['/devices', '/login?redirect=%2Fdevices&skip=true'],
      ['https://evil.example/', '/login?skip=true'],
      ['//evil.example/', '/login?skip=true'],
    ] as const) {
      const { person } = await signedInTo(jadrolet)
      const url = `${await signOut(person)}?${new URLSearchParams({ redirect })}`
      expect(targetIn((await person.request({ url })).body)).toBe(target)
    }
  })

  test.each([
    [
      'the person signs out everywhere',
      (person: SignedIn) => person.call(sessions.logoutAll, { include_current: true }),
    ],
    [
      'the person ends this session in the list',
      (person: SignedIn) => person.call(sessions.logoutSession, { id: person.user.session_id }),
    ],
  ])('is also there when %s', async (_, end) => {
    const { person } = await signedInTo(jadrolet)
    const answer = await end(person)
    expect(answer).toMatchObject({ ok: true, data: { redirect_to: expect.stringMatching(/^\/end-session\/apps\//) } })
  })

  test('is not there when another session ends, or no app of the session needs it', async () => {
    const { person } = await signedInTo(jadrolet)
    const elsewhere = await person.call(sessions.logoutAll, {})
    expect(elsewhere).toMatchObject({ ok: true, data: {} })
    expect((elsewhere as { data: object }).data).not.toHaveProperty('redirect_to')
    const other = await server.as(people.ana)
    expect(await signOut(other)).toBeUndefined()
  })

  test('leaves out an app that is disabled, or whose redirect URIs have moved to another origin', async () => {
    const { person } = await signedInTo(moved, disabled, burja)
    const admin = await server.as(people.ana)
    await admin.call(sessions.refresh, { developer_id: organization.developer_id })
    await admin.call(clients.removeRedirectUri, { id: moved.client_id, redirect_uri: 'https://moved.example/callback' })
    await admin.call(clients.updateClientInfo, { id: disabled.client_id, enabled: false })
    const page = await person.request({ url: (await signOut(person)) ?? '' })
    expect(framesIn(page.body).map(({ host }) => host)).toEqual(['burja.example'])
  })
})

test('a sign-out that an app requests loads the frames, then returns to the app', async () => {
  const person = await server.as(people.ana)
  const { id_token } = await signInTo(server, person, jadrolet)
  const asked = await person.request({
    url: `/end-session?${new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: BACK, state: 'x"y' })}`,
  })
  const xsrf = /name="xsrf" value="(\w+)"/.exec(asked.body)?.[1] ?? ''
  const confirm = () =>
    person.request({
      method: 'POST',
      url: '/end-session/confirm',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    })
  // Also when the browser did not get the first answer.
  for (const gone of [await confirm(), await confirm()]) {
    expect([gone.statusCode, gone.headers.location]).toEqual([303, expect.stringMatching(/^\/end-session\/apps\//)])
    const page = await person.request({ url: gone.headers.location as string })
    expect(framesIn(page.body).map(({ searchParams }) => searchParams.get('sid'))).toEqual([decodeJwt(id_token).sid])
    expect(targetIn(page.body)).toBe(`${BACK}?state=x%22y`)
    expect(page.body).toContain(`http-equiv="refresh" content="5;url=${BACK}?state=x%22y"`)
  }
})

test('discovery names front-channel logout', async () => {
  const discovery = (await server.app.inject({ url: '/.well-known/openid-configuration' })).json()
  expect(discovery).toMatchObject({ frontchannel_logout_supported: true, frontchannel_logout_session_supported: true })
})
