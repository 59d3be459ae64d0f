import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { clients, developers, scopes } from '@vrata/contract'
import { ROOT } from '../../scripts/command.ts'
import { people, studio } from '../../server/test/people.ts'
import { freePort, type Running, runNode } from '../child.ts'
import type { Visitor } from '../fixtures.ts'
import { test as base, expect } from '../fixtures.ts'
import { done, settle } from '../settled.ts'

const { ana } = people

type Registered = { client_id: string; client_secret: string | null }
/** Ana, who has an organisation and is signed in. */
type Maker = Visitor & { register(type: clients.ClientType, redirect_uri?: string): Promise<Registered> }

/** Programs that somebody else may have copied: each is run as it stands, and knows of Vrata no more than its address. */
const test = base.extend<{
  maker: Maker
  /** Runs an example until it has said something. */
  run(name: string, app: Registered, settings: Record<string, string>, says: RegExp): Promise<Running>
}>({
  maker: async ({ house, open }, use) => {
    const visitor = await open({ allow: /^foreign host: http:\/\/127\.0\.0\.1:/ })
    await settle(house, visitor, ana)
    done(await visitor.call(developers.createDeveloper, { name: studio.name }))
    const register = async (type: clients.ClientType, redirect_uri?: string) =>
      done(await visitor.call(clients.createClient, { name: 'Bonaca', type, redirect_uri }))
    await use({ ...visitor, register })
  },

  run: async ({ house }, use) => {
    const running: Running[] = []
    await use(async (name, { client_id, client_secret }, settings, says) => {
      const credentials = { CLIENT_ID: client_id, CLIENT_SECRET: client_secret ?? '' }
      const program = await runNode(
        [join(ROOT, 'examples', name, 'main.ts')],
        { ISSUER: house.url, ...credentials, ...settings },
        (said) => says.test(said),
      )
      running.push(program)
      return program
    })
    for (const program of running) await program.end('SIGTERM')
  },
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test.describe('examples', () => {
  test('a website hears that somebody has signed out elsewhere', async ({ maker, run }) => {
    const port = await freePort()
    const home = `http://localhost:${port}`
    const app = await maker.register('web', `${home}/callback`)
    const backchannel_logout_uri = `${home}/signed-out`
    done(await maker.call(clients.updateAdvanced, { id: app.client_id, backchannel_logout_uri }))
    await run('web-app', app, { PORT: String(port) }, /is open/)
    const { page } = maker
    await page.goto(home)
    await press(page, 'Sign in with Vrata')
    await press(page, 'Allow')
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

  test('a single-page app signs in, renews its token, and signs out', async ({ house, maker, run }) => {
    const port = await freePort()
    const home = `http://localhost:${port}`
    const app = await maker.register('spa', `${home}/`)
    done(await maker.call(clients.addOrigin, { id: app.client_id, origin: home }))
    done(await maker.call(clients.updateAdvanced, { id: app.client_id, post_logout_redirect_uris: [`${home}/`] }))
    await run('single-page', app, { PORT: String(port) }, /is open/)
    const { page } = maker
    const said = page.getByRole('status')

    await page.goto(home)
    await expect(said).toHaveText('Nobody is signed in.')
    await press(page, 'Sign in with Vrata')
    await press(page, 'Cancel')
    await expect(said).toHaveText('You did not allow Bonaca.')
    await press(page, 'Sign in with Vrata')
    await press(page, 'Allow')
    await expect(said).toHaveText('Hello, Ana Kovač.')
    expect(page.url()).toBe(`${home}/`)

    const renewing = page.waitForResponse(`${house.url}/token`)
    await press(page, 'Renew the access token')
    expect((await renewing).request().postDataJSON()).toMatchObject({ grant_type: 'refresh_token' })
    await expect(said).toHaveText('The access token is new.')

    // A reload forgets the tokens. Nobody can prove that a page on this machine is Bonaca, so the person is asked again.
    await page.reload()
    await press(page, 'Sign in with Vrata')
    await press(page, 'Allow')
    await expect(said).toHaveText('Hello, Ana Kovač.')

    await press(page, 'Sign out')
    await expect(page.getByText('Bonaca asks to sign you out')).toBeVisible()
    await press(page, 'Sign out')
    await expect(said).toHaveText('Nobody is signed in.')
    await page.goto('/')
    await expect(page).toHaveURL(/\/login/)
  })

  test('a program on a desktop signs in by the browser, at whatever port is free', async ({ maker, run }) => {
    const app = await maker.register('native', 'http://127.0.0.1/callback')
    const program = await run('native', app, { BROWSER: 'none' }, /\/authorize/)
    const [address] = await program.says(/http\S+(?=\n)/)
    const { page } = maker
    await page.goto(address)
    await press(page, 'Allow')
    await expect(page.getByText('You can close this page')).toBeVisible()
    await program.says(/Hello, Ana Kovač\./)
    expect(await program.ended).toBe(0)
  })

  test('a device without a browser signs in by a code that somebody types in elsewhere', async ({ maker, run }) => {
    const app = await maker.register('native')
    const { page } = maker
    const refused = await run('device', app, {}, /or open/)
    await page.goto((await refused.says(/(?<=or open )\S+/))[0])
    await press(page, 'Continue')
    await press(page, 'Deny')
    await refused.says(/You did not allow this device/)
    expect(await refused.ended).toBe(1)

    const device = await run('device', app, {}, /or open/)
    const [code] = await device.says(/[A-Z]{4}-[A-Z]{4}/)
    await page.goto((await device.says(/(?<=Open )\S+/))[0])
    await page.getByLabel('Code on the device').fill(code)
    await press(page, 'Continue')
    await press(page, 'Allow')
    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    await device.says(/Hello, Ana Kovač\./)
    expect(await device.ended).toBe(0)
  })

  for (const access_token_format of clients.TOKEN_FORMATS) {
    test(`a service calls an API, which checks its ${access_token_format} token`, async ({ maker, run }) => {
      const port = await freePort()
      const key = 'jadrolet.timetable.read'
      const url = `http://localhost:${port}/timetable`
      const api = await maker.register('service')
      done(await maker.call(clients.updateAdvanced, { id: api.client_id, access_token_format }))
      for (const one of [key, 'jadrolet.timetable.change']) {
        done(await maker.call(scopes.putScope, { id: api.client_id, key: one, title: { 'en-US': 'Timetable' } }))
      }
      await run('api', api, { PORT: String(port) }, /is open/)
      const caller = await maker.register('service')
      const may = [key, 'jadrolet.timetable.change']
      done(await maker.call(clients.updateClientInfo, { id: caller.client_id, scopes: may }))

      const called = await run('service', caller, { API: url }, /^200 .*"for":"a service"/m)
      expect(await called.ended).toBe(0)

      await run('service', caller, { API: url, SCOPE: 'jadrolet.timetable.change' }, /^403 /m)
      for (const authorization of ['', 'Bearer made-up', `Bearer ${unsigned(api.client_id)}`]) {
        expect((await fetch(url, { headers: { authorization } })).status, authorization).toBe(401)
      }
    })
  }
})

/** What somebody would send who hopes that nobody looks at signatures. */
function unsigned(client_id: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: 'x', client_id, scope: 'jadrolet.timetable.read' })}.`
}
