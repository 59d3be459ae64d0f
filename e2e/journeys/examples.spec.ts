import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { clients, developers, scopes } from '@vrata/contract'
import * as oauth from 'oauth4webapi'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import type { Visitor } from '../fixtures.ts'
import { test as base, expect } from '../fixtures.ts'
import { type NodeProcess, startNodeProcess } from '../server/node-process.ts'

const { ana } = people

type Credentials = { client_id: string; client_secret: string | null }
/** Ana, signed in, with an organization. */
type Developer = Visitor & { register(type: clients.ClientType, redirect_uri?: string): Promise<Credentials> }

/** Each example runs as it is published, configured with the address of the server and its client only. */
const test = base.extend<{
  developer: Developer
  /** Starts an example and waits until its output matches. */
  run(name: string, app: Credentials, settings: Record<string, string>, output: RegExp): Promise<NodeProcess>
}>({
  developer: async ({ server, open }, use) => {
    const visitor = await open({ allow: /^foreign host: http:\/\/127\.0\.0\.1:/ })
    await signUpConfirmed(server, visitor, ana)
    dataOf(await visitor.call(developers.createDeveloper, { name: studio.name }))
    const register = async (type: clients.ClientType, redirect_uri?: string) =>
      dataOf(await visitor.call(clients.createClient, { name: 'Bonaca', type, redirect_uri }))
    await use({ ...visitor, register })
  },

  run: async ({ server }, use) => {
    const programs: NodeProcess[] = []
    await use(async (name, { client_id, client_secret }, settings, pattern) => {
      const credentials = { CLIENT_ID: client_id, CLIENT_SECRET: client_secret ?? '' }
      const program = await startNodeProcess(
        [join(ROOT, 'examples', name, 'main.ts')],
        { ISSUER: server.url, ...credentials, ...settings },
        (output) => pattern.test(output),
      )
      programs.push(program)
      return program
    })
    for (const program of programs) await program.stop('SIGTERM')
  },
})

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test.describe('examples', () => {
  test('web app ends its session on a back-channel logout and rejects a forged logout token', async ({
    developer,
    run,
  }) => {
    const port = await freePort()
    const home = `http://localhost:${port}`
    const app = await developer.register('web', `${home}/callback`)
    const backchannel_logout_uri = `${home}/signed-out`
    dataOf(await developer.call(clients.updateAdvanced, { id: app.client_id, backchannel_logout_uri }))
    await run('web-app', app, { PORT: String(port) }, /is running/)
    const { page } = developer
    await page.goto(home)
    await clickButton(page, 'Sign in with Vrata')
    await clickButton(page, 'Allow')
    await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()

    const forged = await page.request.post(backchannel_logout_uri, { form: { logout_token: 'a.b.c' } })
    expect(forged.status()).toBe(400)
    await page.goto('/')
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect(async () => {
      await page.goto(home)
      await expect(page.getByRole('heading', { name: 'Jadrolet' })).toBeVisible({ timeout: 500 })
    }).toPass()
  })

  test('single-page app signs in, renews its token, and signs out', async ({ server, developer, run }) => {
    const port = await freePort()
    const home = `http://localhost:${port}`
    const app = await developer.register('spa', `${home}/`)
    dataOf(await developer.call(clients.addOrigin, { id: app.client_id, origin: home }))
    dataOf(await developer.call(clients.updateAdvanced, { id: app.client_id, post_logout_redirect_uris: [`${home}/`] }))
    await run('single-page', app, { PORT: String(port) }, /is running/)
    const { page } = developer
    const status = page.getByRole('status')

    await page.goto(home)
    await expect(status).toHaveText('You are not signed in.')
    await clickButton(page, 'Sign in with Vrata')
    await clickButton(page, 'Cancel')
    await expect(status).toHaveText('You did not allow Bonaca.')
    await clickButton(page, 'Sign in with Vrata')
    await clickButton(page, 'Allow')
    await expect(status).toHaveText('Hello, Ana Kovač.')
    expect(page.url()).toBe(`${home}/`)

    const tokenResponse = page.waitForResponse(`${server.url}/token`)
    await clickButton(page, 'Renew the access token')
    expect((await tokenResponse).request().postDataJSON()).toMatchObject({ grant_type: 'refresh_token' })
    await expect(status).toHaveText('The access token was renewed.')

    // The tokens are lost on reload. Redirect URIs at localhost do not identify the client, so consent is asked again.
    await page.reload()
    await clickButton(page, 'Sign in with Vrata')
    await clickButton(page, 'Allow')
    await expect(status).toHaveText('Hello, Ana Kovač.')

    await clickButton(page, 'Sign out')
    await expect(page.getByText('Bonaca wants to sign you out')).toBeVisible()
    await clickButton(page, 'Sign out')
    await expect(status).toHaveText('You are not signed in.')
    await page.goto('/')
    await expect(page).toHaveURL(/\/login/)
  })

  test('native app signs in through the browser with a redirect URI at a free loopback port', async ({
    developer,
    run,
  }) => {
    const app = await developer.register('native', 'http://127.0.0.1/callback')
    const program = await run('native', app, { BROWSER: 'none' }, /\/authorize/)
    const [address] = await program.waitForOutput(/http\S+(?=\n)/)
    const { page } = developer
    await page.goto(address)
    await clickButton(page, 'Allow')
    await expect(page.getByText('You can close this page')).toBeVisible()
    await program.waitForOutput(/Hello, Ana Kovač\./)
    expect(await program.exitCode).toBe(0)
  })

  test('device without a browser signs in with a code that the user enters in a browser', async ({
    developer,
    run,
  }) => {
    const app = await developer.register('native')
    const { page } = developer
    const denied = await run('device', app, {}, /or open/)
    await page.goto((await denied.waitForOutput(/(?<=or open )\S+/))[0])
    await clickButton(page, 'Continue')
    await clickButton(page, 'Deny')
    await denied.waitForOutput(/You did not allow this device/)
    expect(await denied.exitCode).toBe(1)

    const device = await run('device', app, {}, /or open/)
    const [code] = await device.waitForOutput(/[A-Z]{4}-[A-Z]{4}/)
    await page.goto((await device.waitForOutput(/(?<=Open )\S+/))[0])
    await page.getByLabel('Code on the device').fill(code)
    await clickButton(page, 'Continue')
    await clickButton(page, 'Allow')
    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    await device.waitForOutput(/Hello, Ana Kovač\./)
    expect(await device.exitCode).toBe(0)
  })

  for (const access_token_format of clients.TOKEN_FORMATS) {
    test(`service calls an API, which validates its ${access_token_format} access token`, async ({
      server,
      developer,
      run,
    }) => {
      const port = await freePort()
      const allowed = ['jadrolet.timetable.read', 'jadrolet.timetable.change']
      const url = `http://localhost:${port}/timetable`
      const api = await developer.register('service')
      dataOf(await developer.call(clients.updateAdvanced, { id: api.client_id, access_token_format }))
      for (const scope of allowed) {
        dataOf(
          await developer.call(scopes.defineScope, { id: api.client_id, key: scope, title: { 'en-US': 'Timetable' } }),
        )
      }
      // An API with an address of its own tells there where to get tokens (RFC 9728); they are always JWTs.
      const own: Record<string, string> = access_token_format === 'jwt' ? { RESOURCE: url } : {}
      if (own.RESOURCE) {
        const resource = { identifier: url, name: 'Timetable', scopes: allowed }
        dataOf(await developer.call(scopes.addResource, { id: api.client_id, ...resource }))
      }
      await run('api', api, { PORT: String(port), ...own }, /is running/)
      const rejected = await fetch(url)
      const named = /resource_metadata="([^"]+)"/.exec(rejected.headers.get('www-authenticate') ?? '')?.[1]
      const metadata = oauth.resourceDiscoveryRequest(new URL(url), { [oauth.allowInsecureRequests]: true })
      if (!own.RESOURCE) expect([named, (await metadata).status]).toEqual([undefined, 404])
      else {
        const found = await oauth.processResourceDiscoveryResponse(new URL(url), await metadata)
        expect(found).toMatchObject({ resource: url, authorization_servers: [server.url] })
        expect(named).toBe((await metadata).url)
      }

      const caller = await developer.register('service')
      dataOf(await developer.call(clients.updateClientInfo, { id: caller.client_id, scopes: allowed }))

      const call = await run('service', caller, { API: url, ...own }, /^200 .*"for":"a service"/m)
      expect(await call.exitCode).toBe(0)

      await run('service', caller, { API: url, SCOPE: 'jadrolet.timetable.change', ...own }, /^403 /m)
      for (const authorization of ['', 'Bearer made-up', `Bearer ${unsigned(api.client_id)}`]) {
        expect((await fetch(url, { headers: { authorization } })).status, authorization).toBe(401)
      }
    })
  }
})

/** A JWT access token without a signature (`alg: none`). */
function unsigned(client_id: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: 'x', client_id, scope: 'jadrolet.timetable.read' })}.`
}
