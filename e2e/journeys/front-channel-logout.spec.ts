import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clients, sessions } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { authorizeUrl } from '../../server/test/third-party.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { test as base, expect, type Visitor } from '../fixtures.ts'

const { cvetka } = people

/** A website that keeps its session in `localStorage` and ends it in a frame. */
type Site = { url: string; frames: URL[]; hangs: boolean }

const test = base.extend<{ site: Site }>({
  site: async ({ browserName: _ }, use) => {
    const site: Site = { url: '', frames: [], hangs: false }
    const server = createServer((request, response) => answer(site, request, response)).listen(0, 'localhost')
    await once(server, 'listening')
    site.url = `http://localhost:${(server.address() as AddressInfo).port}`
    await use(site)
    server.closeAllConnections()
    server.close()
  },
})

const SCRIPTS: Record<string, string> = {
  '/callback': "localStorage.person = 'Cvetka'; document.querySelector('h1').textContent = 'Signed in'",
  '/': "document.querySelector('h1').textContent = localStorage.person ?? 'Nobody'",
  '/out': 'delete localStorage.person',
}

function answer(site: Site, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', site.url)
  const isFrame = url.pathname === '/out'
  if (isFrame) site.frames.push(url)
  if (isFrame && site.hangs) return
  const script = SCRIPTS[url.pathname]
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(`<!doctype html><link rel="icon" href="data:,"><h1></h1><script>${script}</script>`)
}

/** Signs the user in to an app at the site. */
async function signIn({ page, call }: Visitor, site: Site): Promise<void> {
  const redirect_uri = `${site.url}/callback`
  const { client_id } = await registerApp({ page, call } as Visitor, redirect_uri)
  const settings = { frontchannel_logout_uri: `${site.url}/out`, initiate_login_uri: 'https://jadrolet.example/login' }
  dataOf(await call(clients.updateAdvanced, { id: client_id, ...settings }))
  await page.goto(authorizeUrl({ client_id, client_secret: null, redirect_uri }))
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: 'Signed in' })).toBeVisible()
}

test.describe('front-channel logout', () => {
  test('ends the session of an app in the browser when its user signs out', async ({ server, open, site }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    await signIn(visitor, site)
    const { page } = visitor
    await page.goto('/applications')
    await page.getByRole('link', { name: /^Jadrolet/ }).click()
    await expect(page.getByRole('link', { name: /^Open/ })).toHaveAttribute(
      'href',
      `https://jadrolet.example/login?${new URLSearchParams({ iss: server.url })}`,
    )

    await page.getByRole('button', { name: /^Accounts/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect(site.frames.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { iss: server.url, sid: expect.any(String) },
    ])
    // The script of the frame has deleted it.
    await page.goto(site.url, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: 'Nobody' })).toBeVisible()
  })

  test('continues after five seconds without an answer of the app', async ({ server, open, site }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    await signIn(visitor, site)
    site.hangs = true
    const { redirect_to = '' } = dataOf(await visitor.call(sessions.logout, {}))
    const { page } = visitor
    // Five seconds pass only when the journey lets them.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.goto(redirect_to, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { name: 'Signing you out' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/login?skip=true')
    await page.clock.fastForward(5000)
    await expect(page).toHaveURL(/\/login/)
  })
})
