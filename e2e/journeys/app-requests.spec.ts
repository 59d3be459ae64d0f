import { account, activity, clients, connections } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { test as base, type Caller, expect, PHONE, socketOpened, type Visitor } from '../fixtures.ts'

const { ana, cvetka } = people
/** The path of the mailed link up to the id of the app. */
const LINK = '/oauth\\?uid=request_[\\w-]+&client_id='

type App = {
  client_id: string
  /** Asks for a person, who has connected the app before. */
  ask(binding_message: string): Promise<{ auth_req_id: string }>
  token(request: { auth_req_id: string }): Promise<Record<string, unknown>>
}

/** An app without a browser of its own (OpenID Connect CIBA Core). */
const test = base.extend<{ developer: Visitor; app: App }>({
  developer: async ({ server, open }, use) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    await use(visitor)
  },
  app: async ({ server, developer }, use) => {
    const { client_id, client_secret } = await registerApp(developer)
    dataOf(await developer.call(clients.updateAdvanced, { id: client_id, backchannel_token_delivery_mode: 'poll' }))
    const post = async (path: string, form: Record<string, string>) => {
      const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
      const body = new URLSearchParams(form)
      return (await fetch(server.url + path, { method: 'POST', headers: { authorization }, body })).json()
    }
    await use({
      client_id,
      ask: (binding_message) =>
        post('/backchannel_authentication', { scope: 'openid email', login_hint: cvetka.email, binding_message }),
      token: ({ auth_req_id }) => post('/token', { grant_type: clients.CIBA_GRANT, auth_req_id }),
    })
  },
})

async function connect({ call }: Caller, { client_id }: App) {
  dataOf(await call(connections.submitConsent, { client: client_id, scopes: ['openid', 'email'] }))
}

test.describe('a sign-in request of an app', () => {
  test('is announced on an open page, compared and allowed, and is in the activity', async ({ server, open, app }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    await connect(visitor, app)
    const { page } = visitor
    const opened = socketOpened(page)
    await page.goto('/home')
    await opened
    const request = await app.ask('Order 4711')
    await expect(page.getByRole('link', { name: 'Jadrolet' })).toBeVisible()
    const notification = page.getByRole('status').filter({ hasText: 'An app asks you to confirm a sign-in: Jadrolet' })
    await notification.getByRole('button', { name: 'Review' }).click()
    await expect(page.getByRole('heading', { name: 'Jadrolet asks you to confirm a sign-in' })).toBeVisible()
    await expect(page.getByText('Order 4711')).toBeVisible()
    await expect(page.getByText(/Time left: \d:\d\d/)).toBeVisible()
    await checkAccessibility(page, 'sign-in request')
    expect(await app.token(request)).toMatchObject({ error: 'authorization_pending' })
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Sign-in allowed' })).toBeVisible()
    expect(await app.token(request)).toMatchObject({ id_token: expect.any(String) })
    const seen = dataOf(await visitor.call(activity.listActivity, { type: 'ALLOWED_REQUEST_OF_APP' }))
    expect(seen.map(({ binding_message }) => binding_message)).toEqual(['Order 4711'])
  })

  test('is denied from the mailed link after a sign-in, in Slovenian on a phone', async ({
    server,
    open,
    openWithoutPage,
    app,
  }) => {
    const visitor = await openWithoutPage({ locale: 'sl-SI' })
    await signUpConfirmed(server, visitor, cvetka)
    await connect(visitor, app)
    const request = await app.ask('Naročilo 12')
    const link = await server.mailedLink(cvetka.email, LINK)
    const { page } = await open({ ...PHONE, locale: 'sl-SI' })
    await page.goto(link)
    await expect(page).toHaveURL(/\/login/)
    await page.locator('input[name=username]').fill(cvetka.email)
    await page.locator('input[name=password]').fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Naročilo 12')).toBeVisible()
    await page.getByRole('button', { name: 'Zavrni', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Prijava je zavrnjena' })).toBeVisible()
    expect(await app.token(request)).toMatchObject({ error: 'access_denied' })
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'Ta zahteva ni več odprta' })).toBeVisible()
  })

  test('shows the time that is left also where the clock of the browser is wrong', async ({ server, open, app }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    await connect(visitor, app)
    await app.ask('Order 8')
    // The request is shown by the same job that mails its link.
    const link = await server.mailedLink(cvetka.email, LINK)
    for (const hours of [-2, 2]) {
      const page = await visitor.context.newPage()
      await page.addInitScript((ms) => {
        const now = Date.now
        Date.now = () => now() + ms
      }, hours * 3_600_000)
      const timeLeft = page.getByText(/Time left: ([89]:\d\d|10:00)$/)
      // Rendered by the server.
      await page.goto(link)
      await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeEnabled()
      await expect(timeLeft).toBeVisible()
      // Rendered by the browser.
      await page.goto('/home')
      await page.getByRole('link', { name: 'Jadrolet' }).click()
      await expect(timeLeft).toBeVisible()
      await page.close()
    }
  })

  test('is answered without script', async ({ server, open, openWithoutPage, app }) => {
    const visitor = await openWithoutPage()
    await signUpConfirmed(server, visitor, cvetka)
    await connect(visitor, app)
    const request = await app.ask('Order 9')
    const link = await server.mailedLink(cvetka.email, LINK)
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(link)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText('Order 9')).toBeVisible()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Sign-in allowed' })).toBeVisible()
    expect(await app.token(request)).toMatchObject({ id_token: expect.any(String) })
  })

  test('is switched on in the expert settings', async ({ developer, app }) => {
    const { page, call } = developer
    const { developer_id } = dataOf(await call(account.getAccount))
    await page.goto(`/developers/${developer_id}/applications/${app.client_id}/development`)
    await page.getByLabel('Sign-in requests without a browser (CIBA)', { exact: true }).selectOption('ping')
    const form = page.locator('form').filter({ hasText: 'Sign-in requests without a browser' })
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Required').or(form.getByRole('alert')).first()).toBeVisible()
    await page.getByLabel('Notification URL', { exact: true }).fill('https://example.com/answered')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Settings saved.')).toBeVisible()
    expect(dataOf(await call(clients.getAdvanced, { id: app.client_id }))).toMatchObject({
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: 'https://example.com/answered',
    })
  })
})
