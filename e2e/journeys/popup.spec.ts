import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { clients, developers } from '@vrata/contract'
import { freePort } from '../../scripts/free-port.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import type { Visitor } from '../fixtures.ts'
import { test as base, expect } from '../fixtures.ts'
import { type NodeProcess, startNodeProcess } from '../server/node-process.ts'

const { ana } = people

/** A third-party page with the button of `@vrata/sign-in`; Ana is the developer of the app. */
const test = base.extend<{ burja: { url: string; client_id: string; developer: Visitor } }>({
  burja: async ({ server, open }, use) => {
    const developer = await open()
    await signUpConfirmed(server, developer, ana)
    dataOf(await developer.call(developers.createDeveloper, { name: studio.name }))
    const port = await freePort()
    const url = `http://localhost:${port}`
    const { client_id } = dataOf(
      await developer.call(clients.createClient, { name: 'Burja', type: 'spa', redirect_uri: `${url}/` }),
    )
    dataOf(await developer.call(clients.addOrigin, { id: client_id, origin: url }))
    dataOf(await developer.call(clients.updateAdvanced, { id: client_id, allow_popup: true }))
    const site: NodeProcess = await startNodeProcess(
      [join(ROOT, 'examples/popup/main.ts')],
      { CLIENT_ID: client_id, ISSUER: server.url, PORT: String(port) },
      async () => (await fetch(url).catch(() => null))?.ok ?? false,
    )
    await use({ url, client_id, developer })
    await site.stop('SIGTERM')
  },
})

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with Vrata' })
const clickSignIn = (page: Page) => signInButton(page).click()

async function openPopup(page: Page): Promise<Page> {
  const popupOpened = page.waitForEvent('popup')
  await clickSignIn(page)
  return await popupOpened
}

test.describe('popup sign-in', () => {
  test('signs in without leaving the page', async ({ burja }) => {
    const { page } = burja.developer
    await page.goto(burja.url)
    const popup = await openPopup(page)
    const popupClosed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Allow' }).click()
    await popupClosed
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('asks a user without a session to sign in inside the popup', async ({ burja, open }) => {
    const { page } = await open()
    await page.goto(burja.url)
    const popup = await openPopup(page)
    await popup.getByLabel(/^Email/).fill(ana.email)
    await popup.getByLabel('Password', { exact: true }).fill(ana.password)
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('works on a page isolated by Cross-Origin-Opener-Policy', async ({ burja }) => {
    const { page, context } = burja.developer
    await page.goto(`${burja.url}/?isolated`)
    const popupOpened = context.waitForEvent('page')
    await clickSignIn(page)
    const popup = await popupOpened
    await popup.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('distinguishes a denied request from a closed window', async ({ burja }) => {
    const { page } = burja.developer
    await page.goto(burja.url)
    const popup = await openPopup(page)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('status')).toHaveText('You did not allow access.')

    const second = await openPopup(page)
    await expect(second.getByRole('button', { name: 'Allow' })).toBeVisible()
    await second.close()
    await expect(page.getByRole('status')).toHaveText('The sign-in window was closed before you finished.')
  })

  test('starts again when the button is pressed again, and passes nothing of the first window to the page', async ({
    burja,
  }) => {
    const { page } = burja.developer
    await page.goto(burja.url)
    const first = await openPopup(page)
    await expect(first.getByRole('button', { name: 'Allow' })).toBeVisible()
    const firstClosed = first.waitForEvent('close')
    const second = await openPopup(page)
    await firstClosed
    await expect(second.getByRole('button', { name: 'Allow' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText('You are not signed in.')
    await expect(signInButton(page)).toHaveAttribute('aria-busy', 'true')
    await second.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
    await expect(signInButton(page)).toHaveAttribute('aria-busy', 'false')
  })

  test('ends the window before, also when an earlier one was closed while the page asked whether it is isolated', async ({
    burja,
  }) => {
    const { page } = burja.developer
    await page.goto(burja.url)
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    await page.route(`${burja.url}/`, async (route) => {
      asked.resolve()
      await answer.promise
      await route.continue()
    })
    await (await openPopup(page)).close()
    await asked.promise
    const second = await openPopup(page)
    const answered = page.waitForResponse(`${burja.url}/`)
    answer.resolve()
    await answered
    await expect(second.getByRole('button', { name: 'Allow' })).toBeVisible()
    const secondClosed = second.waitForEvent('close')
    const third = await openPopup(page)
    await secondClosed
    await third.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('is ready again when the browser goes back to the page that a redirect has left', async ({ burja }) => {
    const { page } = burja.developer
    await page.addInitScript(() => {
      window.open = () => null
    })
    // The browser stays on the page.
    await page.route('**/authorize?*', (route) => route.abort('aborted'))
    await page.goto(burja.url)
    await clickSignIn(page)
    await expect(signInButton(page)).toHaveAttribute('aria-busy', 'true')
    // Chromium keeps no page while it is debugged, so the event stands for its return.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await expect(signInButton(page)).toHaveAttribute('aria-busy', 'false')
  })

  test('falls back to a redirect when the browser blocks popups', async ({ burja }) => {
    const { page } = burja.developer
    await page.addInitScript(() => {
      window.open = () => null
    })
    await page.goto(burja.url)
    await clickSignIn(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
    expect(page.url()).toBe(`${burja.url}/`)
  })

  test('shows an error for an app that does not allow popups, and sends the page no response', async ({ burja }) => {
    dataOf(await burja.developer.call(clients.updateAdvanced, { id: burja.client_id, allow_popup: false }))
    const { page } = burja.developer
    await page.goto(burja.url)
    const popup = await openPopup(page)
    await expect(popup.getByRole('heading')).toHaveText('There is a problem with this app’s request')
    await expect(page.getByRole('status')).toHaveText('You are not signed in.')
  })
})
