import { createHash } from 'node:crypto'
import { clients } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { type Caller, expect, PHONE, test, visit } from '../fixtures.ts'

const { ana, cvetka } = people

/** Windows in which the buttons of the consent screen are in sight without scrolling (design §7.3). */
const SIZES = [
  [1280, 860],
  [768, 600],
  [390, 844],
  [320, 568],
  [320, 256],
] as const

/** No program of this machine opens the address of the installed app. */
const NOT_INSTALLED = /ERR_UNKNOWN_URL_SCHEME|Failed to launch/

/** Registers an installed app, and returns the address of a request of it. */
async function requestOfInstalledApp(developer: Caller, more: Record<string, string> = {}): Promise<string> {
  await registerApp(developer)
  const app = dataOf(await developer.call(clients.createClient, { name: 'Burja', type: 'native' }))
  const redirect_uri = 'com.example.burja:/callback'
  dataOf(await developer.call(clients.addRedirectUri, { id: app.client_id, redirect_uri }))
  const code_challenge = createHash('sha256').update('verifier').digest('base64url')
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri,
    scope: 'openid',
    code_challenge,
    ...more,
  })
  return `/authorize?response_type=code&code_challenge_method=S256&${query}`
}

test.describe('consent screen', () => {
  test('shows consent in Slovenian on a phone and returns to the app after Cancel and after Allow', async ({
    server,
    jadrolet,
    open,
    openWithoutPage,
  }) => {
    const developer = await openWithoutPage()
    await signUpConfirmed(server, developer, ana)
    await jadrolet.start(await registerApp(developer, jadrolet.redirect_uri))

    const visitor = await open({ ...PHONE, locale: 'sl-SI' })
    const { page } = visitor
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
    await expect(page.getByText('Za nadaljevanje v aplikacijo Jadrolet')).toBeVisible()
    await page.getByRole('link', { name: 'Ustvarite račun' }).click()
    await page.getByLabel(/^Ime/).fill(cvetka.first_name)
    await page.getByLabel('Priimek').fill(cvetka.last_name)
    await page.getByLabel('E-\u2060naslov').fill(cvetka.email)
    await page.getByLabel('Geslo', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Ustvari račun' }).click()
    await expect(page.getByRole('heading', { name: 'Preverite e-\u2060pošto' })).toBeVisible()

    const tab = await visitor.context.newPage()
    await tab.goto(await server.mailedLink(cvetka.email, '/confirm-email/'))
    await tab.getByRole('button', { name: 'Potrdi e-\u2060naslov' }).click()
    await expect(tab.getByRole('heading', { name: 'E-\u2060naslov je potrjen' })).toBeVisible()
    await tab.close()

    await expect(page.getByRole('heading', { name: /Aplikacija Jadrolet/ })).toBeVisible()
    await expect(page.getByText('Vpogled v vaš profil', { exact: true })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'Prekliči' }).click()
    await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible()

    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByRole('button', { name: 'Dovoli' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

    await page.goto(server.url)
    await expect(page.getByText('Dostop ima 1 aplikacija')).toBeVisible()
    await expect(page.getByText('Dovoljen dostop aplikaciji Jadrolet')).toBeVisible()
  })

  test('reports a disabled app and does not redirect to it', async ({ server, jadrolet, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    const client = await registerApp(visitor, jadrolet.redirect_uri)
    await jadrolet.start(client)
    dataOf(await visitor.call(clients.updateClientInfo, { id: client.client_id, enabled: false }))
    const { page } = visitor
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'This app is disabled' })).toBeVisible()
    expect(page.url()).toContain(server.url)

    dataOf(await visitor.call(clients.updateClientInfo, { id: client.client_id, enabled: true }))
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()
  })

  test('does not redirect to an unregistered redirect URI', async ({ server, jadrolet, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    await jadrolet.start(await registerApp(visitor, 'http://localhost:1/elsewhere'))
    await visitor.page.goto(jadrolet.url)
    await visitor.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(
      visitor.page.getByRole('heading', { name: 'This app tried to send you to an unregistered address' }),
    ).toBeVisible()
  })

  test('lets the user decline an optional scope and use another account', async ({
    server,
    jadrolet,
    open,
    openWithoutPage,
  }) => {
    const developer = await open()
    await signUpConfirmed(server, developer, ana)
    await jadrolet.start(await registerApp(developer, jadrolet.redirect_uri))
    const { page } = developer
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    // Once in the account card and once in the preview of the shared data.
    await expect(page.getByText('ana.kovac@example.com')).toHaveCount(2)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await page.getByRole('button', { name: 'Sign out and continue' }).click()
    await expect(page.getByText('You are signed out')).toBeVisible()
    // The sign-in page remembers Ana in this browser. The consent page has a button with this name, too.
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
    await page.getByRole('button', { name: 'Use another account' }).click()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText(cvetka.email)).toHaveCount(2)
    await expect(page.getByRole('heading', { name: 'This will let Jadrolet do 3 things' })).toBeVisible()
    await page.getByRole('switch', { name: 'Allow: See your email address' }).click()
    await expect(page.getByRole('heading', { name: 'This will let Jadrolet do 2 things' })).toBeVisible()
    await expect(page.getByText('New', { exact: true })).toBeHidden()
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await page.evaluate(() => scrollTo(0, 0))
      await expect(page.getByRole('button', { name: 'Cancel' }), `${width}×${height}`).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeInViewport({ ratio: 1 })
    }
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
    await expect(page.getByText(cvetka.email)).toBeHidden()
  })

  test('shows the permissions that are left when one is removed while the page is open', async ({
    server,
    jadrolet,
    open,
    openWithoutPage,
  }) => {
    const developer = await openWithoutPage()
    await signUpConfirmed(server, developer, ana)
    const app = await registerApp(developer, jadrolet.redirect_uri)
    await jadrolet.start(app)
    const visitor = await open()
    const { page } = visitor
    await signUpConfirmed(server, visitor, cvetka)
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'This will let Jadrolet do 3 things' })).toBeVisible()
    dataOf(await developer.call(clients.updateClientInfo, { id: app.client_id, scopes: ['openid', 'profile'] }))
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('has just changed')
    const left = page.getByRole('heading', { name: 'This will let Jadrolet do 2 things' })
    await expect(left).toBeVisible()
    await page.reload()
    await expect(left).toBeVisible()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
  })

  test('keeps what was declined for one request out of another, to which the way back leads', async ({
    server,
    open,
  }) => {
    const visitor = await open()
    const { page } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { client_id } = await registerApp(visitor)
    const other = dataOf(await visitor.call(clients.createClient, { name: 'Burja' }))
    const request = (client: string) => `/oauth?client_id=${client}&scope=openid%20profile%20email`
    await page.goto(request(client_id))
    const email = page.getByRole('switch', { name: 'Allow: See your email address' })
    await expect(email).toBeChecked()
    await visit(page, request(other.client_id))
    await expect(page.getByRole('heading', { name: 'Burja wants to use your Vrata account' })).toBeVisible()
    await email.click()
    await expect(email).not.toBeChecked()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Jadrolet wants to use your Vrata account' })).toBeVisible()
    await expect(email).toBeChecked()
  })

  test('says that an installed app should have opened, which leaves the page where it is', async ({ server, open }) => {
    const visitor = await open({ allow: NOT_INSTALLED })
    const { page } = visitor
    await signUpConfirmed(server, visitor, ana)
    await page.goto(await requestOfInstalledApp(visitor))
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Sign-in allowed' })).toBeVisible()
    await expect(page.getByText('Burja should open by itself. If it doesn’t, go back to it.')).toBeVisible()
    await checkAccessibility(page, 'consent to an installed app')
  })

  test('says after a sign-in, too, that an installed app should open', async ({ server, open, openWithoutPage }) => {
    const developer = await openWithoutPage()
    await signUpConfirmed(server, developer, ana)
    // The app asks for two factors, so its answer is an error, before any consent.
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } })
    const request = await requestOfInstalledApp(developer, { claims })
    const { page } = await open({ allow: NOT_INSTALLED })
    await page.goto(request)
    await page.getByLabel('Email or username').fill(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await expect(page.getByText('The app should open by itself. If it doesn’t, go back to it.')).toBeVisible()
    await checkAccessibility(page, 'sign-in to an installed app')
  })
})
