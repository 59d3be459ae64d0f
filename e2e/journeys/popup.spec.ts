import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { clients, developers } from '@vrata/contract'
import { ROOT } from '../../scripts/command.ts'
import { people, studio } from '../../server/test/people.ts'
import { freePort, type Running, runNode } from '../child.ts'
import type { Visitor } from '../fixtures.ts'
import { test as base, expect } from '../fixtures.ts'
import { done, settle } from '../settled.ts'

const { ana } = people

/** Somebody else's page, with the button of `@vrata/sign-in`; Ana has made the app. */
const test = base.extend<{ burja: { url: string; client_id: string; maker: Visitor } }>({
  burja: async ({ house, open }, use) => {
    const maker = await open()
    await settle(house, maker, ana)
    done(await maker.call(developers.createDeveloper, { name: studio.name }))
    const port = await freePort()
    const url = `http://localhost:${port}`
    const { client_id } = done(
      await maker.call(clients.createClient, { name: 'Burja', type: 'spa', redirect_uri: `${url}/` }),
    )
    done(await maker.call(clients.addOrigin, { id: client_id, origin: url }))
    done(await maker.call(clients.updateAdvanced, { id: client_id, allow_popup: true }))
    const site: Running = await runNode(
      [join(ROOT, 'examples/popup/main.ts')],
      { CLIENT_ID: client_id, ISSUER: house.url, PORT: String(port) },
      async () => (await fetch(url).catch(() => null))?.ok ?? false,
    )
    await use({ url, client_id, maker })
    await site.end('SIGTERM')
  },
})

const press = (page: Page) => page.getByRole('button', { name: 'Sign in with Vrata' }).click()

async function openPopup(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await press(page)
  return await opening
}

test.describe('signing in by a popup', () => {
  test('the page stays where it is: allow in the popup, and it knows who came', async ({ burja }) => {
    const { page } = burja.maker
    await page.goto(burja.url)
    const popup = await openPopup(page)
    const closing = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Allow' }).click()
    await closing
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('somebody without a session signs in inside the popup first', async ({ burja, open }) => {
    const { page } = await open()
    await page.goto(burja.url)
    const popup = await openPopup(page)
    await popup.getByLabel(/^Email/).fill(ana.email)
    await popup.getByLabel('Password', { exact: true }).fill(ana.password)
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click()
    await popup.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('an isolated page, whose tie to the popup the browser cuts, gets its answer all the same', async ({ burja }) => {
    const { page, context } = burja.maker
    await page.goto(`${burja.url}/?isolated`)
    const opening = context.waitForEvent('page')
    await press(page)
    const popup = await opening
    await popup.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
  })

  test('saying no, and closing the window, are told apart', async ({ burja }) => {
    const { page } = burja.maker
    await page.goto(burja.url)
    const popup = await openPopup(page)
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('status')).toHaveText('You did not allow this app.')

    const second = await openPopup(page)
    await expect(second.getByRole('button', { name: 'Allow' })).toBeVisible()
    await second.close()
    await expect(page.getByRole('status')).toHaveText('The sign-in window was closed before you finished.')
  })

  test('where the browser blocks popups, the page itself goes and comes back', async ({ burja }) => {
    const { page } = burja.maker
    await page.addInitScript(() => {
      window.open = () => null
    })
    await page.goto(burja.url)
    await press(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('status')).toHaveText('Hello, Ana Kovač.')
    expect(page.url()).toBe(`${burja.url}/`)
  })

  test('a popup for an app that has not switched it on says what is wrong, and tells the page nothing', async ({
    burja,
  }) => {
    done(await burja.maker.call(clients.updateAdvanced, { id: burja.client_id, allow_popup: false }))
    const { page } = burja.maker
    await page.goto(burja.url)
    const popup = await openPopup(page)
    await expect(popup.getByRole('heading')).toHaveText('The app asked in a way we do not understand')
    await expect(page.getByRole('status')).toHaveText('Nobody is signed in.')
  })
})
