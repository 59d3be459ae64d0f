import type { BrowserContext, Page } from '@playwright/test'
import { account, clients, connections, paths, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test, type Visitor } from '../fixtures.ts'

const { ana, bor } = people
const YEAR = 365 * 24 * 60 * 60 * 1000

/** Holds back the script of the pages, or one part of it; returns what releases it. */
async function holdScript(context: BrowserContext, part = 'main'): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await context.route(`**/assets/${part}-*.js`, async (route) => {
    await released
    await route.continue()
  })
  return release
}

test.describe('first page of a visitor', () => {
  test('does what is pressed and chosen before its script has started', async ({ open }) => {
    const { page, context } = await open()
    const release = await holdScript(context)
    await page.goto('/login', { waitUntil: 'commit' })
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('kamnite-stopnice-41')
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.getByLabel('Language').selectOption('hr-HR')
    release()
    await expect(page.locator('html')).toHaveAttribute('lang', 'hr-HR')
    await expect(page.locator('input[name=password]')).toHaveAttribute('type', 'text')
    await expect(page.locator('input[name=password]')).toHaveValue('kamnite-stopnice-41')
  })

  test('reads nothing for links to pages that a visitor may not see', async ({ open }) => {
    const { page } = await open()
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.goto('/login')
    const phrases = page.waitForRequest(/\/assets\/home-/)
    await page.getByRole('link', { name: 'Vrata' }).focus()
    await phrases
    await page.waitForLoadState('networkidle')
    expect(calls.filter((path) => /^\/v1\/(?:account|connection|auth\/(?:sessions|refresh))/.test(path))).toEqual([])
    // The style sheet is in the document.
    expect(calls.filter((path) => path.endsWith('.css'))).toEqual([])
  })
})

test.describe('first page of a signed-in user', () => {
  test('comes with its data and makes no call', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    const { client_id, developer_id } = await registerApp(visitor, 'https://jadrolet.example/callback')
    const app = `/developers/${developer_id}/applications`
    const calls: string[] = []
    visitor.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/(?:v1|\.well-known)\//.test(pathname)) calls.push(`${request.method()} ${pathname}`)
    })
    const pages = [
      ['/home', 'Created the account'],
      ['/your-info', ana.email],
      ['/privacy/activity', 'Created the account'],
      ['/devices', 'This device'],
      ['/applications', 'Connected apps'],
      [app, 'Jadrolet'],
      [`${app}/${client_id}/details`, client_id],
      [`${app}/${client_id}/development`, 'https://jadrolet.example/callback'],
      [`/developers/${developer_id}/members`, ana.email],
      [paths.consent({ uid: '', client_id, scope: 'openid' }), 'Jadrolet'],
    ] as const
    const plain = await open({ javaScriptEnabled: false })
    for (const [path, text] of pages) {
      await visitor.page.goto(path)
      await expect(visitor.page.getByRole('main')).toContainText(text)
      await withoutScript(plain, visitor, async (page) => {
        await page.goto(path)
        await expect(page.locator('#root main')).toContainText(text)
      })
    }
    expect(calls).toEqual([])
  })

  test('keeps what is typed, and sends no form before its script has started', async ({ server, open }) => {
    const { page, context, ...visitor } = await open()
    await signUpConfirmed(server, visitor, ana)
    const release = await holdScript(context)
    const opened: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) opened.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    await page.goto('/security/change-password', { waitUntil: 'commit' })
    const fields = page.locator('#root main input[type=password]')
    await expect(fields.last()).toBeVisible()
    for (const field of await fields.all()) await field.fill('kamnite-stopnice-41')
    await fields.last().press('Enter')
    release()
    await expect(page.locator('html[data-started]')).toBeAttached()
    await expect(fields.last()).toHaveValue('kamnite-stopnice-41')
    expect(opened).toEqual(['GET /security/change-password'])
    // The answer, so that the server is not closed while it compares passwords.
    await expect(fields.first()).toHaveAttribute('aria-invalid', 'true')
  })

  test('does what a button says that is pressed before its script has started', async ({ server, open }) => {
    const { page, context, ...visitor } = await open()
    await signUpConfirmed(server, visitor, ana)
    const release = await holdScript(context)
    await page.goto('/home', { waitUntil: 'commit' })
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toHaveCount(0)
    release()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  })

  test('opens the search by Ctrl+K that is pressed before its script has started', async ({ server, open }) => {
    const { page, context, ...visitor } = await open()
    await signUpConfirmed(server, visitor, ana)
    const release = await holdScript(context)
    await page.goto('/home', { waitUntil: 'commit' })
    await expect(page.locator('#root h1')).toBeVisible()
    await page.keyboard.press('Control+k')
    release()
    await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('combobox')).toBeFocused()
  })

  test('does what a button says that was pressed before something else had changed the page', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    // A mismatch (https://react.dev/errors/418), as an extension of the browser can cause.
    const { page, context, ...visitor } = await open({ allow: /418/ })
    await signUpConfirmed(server, visitor, ana)
    dataOf(await (await openWithoutPage()).call(signIn.login, { username: ana.email, password: ana.password }))
    const release = await holdScript(context)
    await page.goto('/devices', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.locator('#root h1').evaluate((heading) => {
      heading.textContent = 'Naprave'
    })
    release()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(page.locator('#root h1')).toHaveText('Devices')
  })

  test('does what a button says whose code comes after the script of the page', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    const { page, context } = visitor
    const release = await holdScript(context, 'second-factor-setup')
    const forms: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && forms.push(request.method()))
    await page.goto('/admin/protect-account', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Set up' }).click()
    release()
    await expect(page.getByLabel('Code')).toBeVisible()
    expect(forms).toEqual(['GET'])
  })

  test('keeps what is chosen and searched before its script has started', async ({ server, open, openWithoutPage }) => {
    const owner = await open()
    await signUpConfirmed(server, owner, ana)
    const { client_id, developer_id } = await registerApp(owner)
    const user = await openWithoutPage()
    await signUpConfirmed(server, user, bor)
    dataOf(await user.call(connections.submitConsent, { client: client_id, scopes: ['openid', 'email'] }))
    const { page, context } = owner
    const release = await holdScript(context)

    await page.goto('/privacy/activity', { waitUntil: 'commit' })
    await page.getByLabel('Language').selectOption('sl-SI')
    await page.getByLabel('Type').selectOption('CREATED_ACCOUNT')
    release()
    await expect(page.locator('html')).toHaveAttribute('lang', 'sl-SI')
    await expect(page).toHaveURL(/type=CREATED_ACCOUNT/)

    const releaseAgain = await holdScript(context)
    await page.goto(`/developers/${developer_id}/user-management`, { waitUntil: 'commit' })
    const search = page.getByRole('main').getByRole('searchbox')
    await search.fill('nobody')
    releaseAgain()
    await expect(page).toHaveURL(/query=nobody/)
    await expect(search).toHaveValue('nobody')
  })

  test('keeps a permission that is declined before its script has started', async ({ server, open }) => {
    const owner = await open()
    await signUpConfirmed(server, owner, ana)
    const { client_id } = await registerApp(owner)
    const { page, context } = owner
    const release = await holdScript(context)
    await page.goto(paths.consent({ uid: '', client_id, scope: 'openid email' }), { waitUntil: 'commit' })
    const permission = page.getByRole('switch', { name: 'Allow: See your email address' })
    await expect(permission).toBeChecked()
    await permission.click({ force: true })
    release()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page).toHaveURL('/home')
    const [connection] = dataOf(await owner.call(connections.listConnections))
    expect(connection?.scopes.map(({ key }) => key)).toEqual(['openid'])
  })

  test('hydrates what the server has rendered with another clock and other names of countries', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const visitor = await open({ timezoneId: 'Pacific/Kiritimati' })
    const { page, call } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { client_id, developer_id } = await registerApp(visitor)
    dataOf(await call(clients.regenerateSecret, { id: client_id, grace: true }))
    dataOf(await call(connections.submitConsent, { client: client_id, scopes: ['openid'] }))
    const other = await openWithoutPage()
    dataOf(await other.call(signIn.login, { username: ana.email, password: ana.password }))

    // A mismatch is a page error, which fails the journey. By the clock of this browser the app and the device are unused.
    await page.clock.setFixedTime(Date.now() + YEAR)
    for (const path of ['/home', '/applications', paths.client(developer_id, client_id)]) await page.goto(path)
    for (const country_code of ['HK', 'MO', 'PS', 'FK']) {
      dataOf(await call(account.updateAccount, { country_code }))
      await page.goto('/your-info')
    }
  })

  test('renews an expired session', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    await visitor.context.clearCookies({ name: 'vrata_access' })
    await visitor.page.goto('/your-info')
    await expect(visitor.page.getByRole('main')).toContainText(ana.email)
    expect((await visitor.context.cookies()).map(({ name }) => name)).toContain('vrata_access')
  })

  test('selects the organization that its address names', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    const first = await registerApp(visitor)
    await registerApp(visitor)
    const plain = await open({ javaScriptEnabled: false })
    await withoutScript(plain, visitor, async (page) => {
      await page.goto(`/developers/${first.developer_id}/applications/${first.client_id}/details`)
      await expect(page.locator('#root main')).toContainText(first.client_id)
    })
  })

  test('shows nothing of an organization to others', async ({ server, open, openWithoutPage }) => {
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, ana)
    const { client_id, developer_id } = await registerApp(owner)
    const other = await open()
    await signUpConfirmed(server, other, bor)
    for (const path of ['applications', `applications/${client_id}/details`, 'members', 'user-management']) {
      const answer = await other.context.request.get(`/developers/${developer_id}/${path}`)
      expect(answer.headers()['cache-control']).toBe('no-store')
      expect(await answer.text()).not.toContain(ana.email)
      expect(await answer.text()).not.toContain('Jadrolet')
    }
  })
})

/** Looks at a page of the same user in a browser without script; cookies that the server sets there are for the first browser, too. */
async function withoutScript(plain: Visitor, { context }: Visitor, look: (page: Page) => Promise<void>): Promise<void> {
  await plain.context.clearCookies()
  await plain.context.addCookies(await context.cookies())
  await look(plain.page)
  await context.addCookies(await plain.context.cookies())
}
