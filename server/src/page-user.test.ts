import { clients } from '@vrata/contract'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookieHeader } from '../../testing/api-client.ts'
import { createOrganization, type Organization } from '../test/organization.ts'
import { people } from '../test/people.ts'
import { type Caller, type SignedIn, startTestServer, type TestServer } from '../test/test-server.ts'
import { authorize, follow, here, post, type ThirdParty } from '../test/third-party.ts'
import { pageUser } from './page-user.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
})
afterAll(() => server.close())

/** The client that a page with this query names in this browser. */
async function namedClient({ cookies }: Pick<Caller, 'cookies'>, redirect: string): Promise<string | undefined> {
  const request = { headers: { cookie: cookieHeader(cookies) }, query: { redirect } } as unknown as FastifyRequest
  return (await pageUser(server.deps)(request)).continue_to?.name
}

/** Begins an authorization request; resolves with the path at which it continues. */
async function waiting(browser: Caller): Promise<string> {
  const interaction = here(await authorize(browser, app))
  expect((await follow(browser, interaction)).pathname).toBe('/login')
  return interaction
}

test('the sign-in page names the client in the browser that holds the cookie of the request, and in no other', async () => {
  const browser = server.browser()
  const interaction = await waiting(browser)
  expect(await namedClient(browser, interaction)).toBe('Jadrolet')
  for (const other of [server.browser(), { cookies: new Map() }]) {
    expect(await namedClient(other, interaction)).toBeUndefined()
  }
  const elsewhere = server.browser()
  await waiting(elsewhere)
  expect(await namedClient(elsewhere, interaction)).toBeUndefined()
})

test('the sign-in page names the client to a signed-in user who has to sign in again', async () => {
  const interaction = here(await authorize(ana, app, { prompt: 'login' }))
  expect((await follow(ana, interaction)).pathname).toBe('/login')
  expect(await namedClient(ana, interaction)).toBe('Jadrolet')
})

test('requests in several tabs are named, the latest five at most', async () => {
  const browser = server.browser()
  const requests: string[] = []
  for (let tab = 0; tab < 6; tab++) requests.push(await waiting(browser))
  const named = await Promise.all(requests.map((request) => namedClient(browser, request)))
  expect(named).toEqual([undefined, ...Array(5).fill('Jadrolet')])
})

test('no page names the client of a user code (RFC 8628 §5.1)', async () => {
  const device = await organization.app({ type: 'native', redirect_uri: undefined })
  await ana.call(clients.updateClientInfo, { id: device.client_id, name: 'Televizor' })
  const started = (
    await post(server, { ...device, client_secret: null }, '/device_authorization', { scope: 'openid' })
  ).json()
  const code = started.user_code.replace('-', '')
  const browser = server.browser()
  browser.cookies.set('vrata_requests', code)
  expect(await namedClient(browser, `/authorize/${code}`)).toBeUndefined()
})
