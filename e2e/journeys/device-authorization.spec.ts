import type { Page } from '@playwright/test'
import { clients } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import { registerDeviceClient } from '../device-client.ts'
import { test as base, expect, PHONE, type Visitor } from '../fixtures.ts'

const { ana, cvetka } = people

const test = base.extend<{ developer: Visitor; device: Awaited<ReturnType<typeof registerDeviceClient>> }>({
  developer: async ({ server, open }, use) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, ana)
    await use(visitor)
  },
  device: async ({ server, developer }, use) => use(await registerDeviceClient(server, developer)),
})

const clickButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const codeField = (page: Page) => page.getByLabel('Code on the device')
const expectConsent = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Bonaca wants to use your' })).toBeVisible()

test.describe('device authorization', () => {
  test('connects a device after a sign-in, with the keyboard only', async ({
    server,
    open,
    openWithoutPage,
    device,
  }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const { page } = await open()
    const code = await device.requestCode()
    await page.goto(code.verification_uri)
    await expect(page).toHaveURL(/\/login/)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { name: 'Connect a device' })).toBeVisible()
    await codeField(page).focus()
    // The field formats the code as the device shows it.
    await page.keyboard.type(code.user_code.replace('-', '').toLowerCase())
    await expect(codeField(page)).toHaveValue(code.user_code)
    await page.keyboard.press('Enter')
    await expectConsent(page)
    await expect(page.getByText('Is this the code on your device?')).toContainText(code.user_code)
    expect(await device.requestToken(code)).toMatchObject({ error: 'authorization_pending' })
    const allow = page.getByRole('button', { name: 'Allow', exact: true })
    await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
    await allow.focus()
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    expect(await device.requestToken(code)).toMatchObject({ id_token: expect.any(String) })
    await page.getByRole('link', { name: 'See connected apps' }).click()
    await expect(page.getByText('Bonaca')).toBeVisible()

    // A code is accepted once.
    await page.goto(code.verification_uri_complete)
    await clickButton(page, 'Continue')
    await expect(page.getByText('This code is no longer valid')).toBeVisible()
  })

  test('fills in the code from the URL, in Slovenian on a phone, and denies the request', async ({
    server,
    open,
    device,
  }) => {
    const visitor = await open({ ...PHONE, locale: 'sl-SI' })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    const code = await device.requestCode()
    await page.goto(code.verification_uri_complete)
    await expect(page.getByRole('heading', { name: 'Povežite napravo' })).toBeVisible()
    await expect(page.getByLabel('Koda na napravi')).toHaveValue(code.user_code)
    await expect(page.getByText('Nadaljujte samo, če vaša naprava zdaj prikazuje natanko to kodo.')).toBeVisible()
    await clickButton(page, 'Nadaljuj')
    await expect(page.getByRole('heading', { name: /Aplikacija Bonaca/ })).toBeVisible()
    await clickButton(page, 'Zavrni')
    await expect(page.getByRole('heading', { name: 'Zavrnjeno' })).toBeVisible()
    expect(await device.requestToken(code)).toMatchObject({ error: 'access_denied' })
  })

  test('continues with the same code after a switch to another account', async ({
    server,
    openWithoutPage,
    developer,
    device,
  }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const { page } = developer
    const code = await device.requestCode()
    await page.goto(code.verification_uri_complete)
    await clickButton(page, 'Continue')
    await expectConsent(page)
    await clickButton(page, 'Use another account')
    await clickButton(page, 'Sign out and continue')
    // The page of the question has a button with this name, too.
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
    await clickButton(page, 'Use another account')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await clickButton(page, 'Sign in')
    await expect(codeField(page)).toHaveValue(code.user_code)
    await clickButton(page, 'Continue')
    await expectConsent(page)
    await clickButton(page, 'Allow')
    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    expect(await device.requestToken(code)).toMatchObject({ id_token: expect.any(String) })
    // The app is connected to Cvetka's account.
    await page.getByRole('link', { name: 'See connected apps' }).click()
    await expect(page.getByText('Bonaca')).toBeVisible()
  })

  test('reports that the app is disabled', async ({ developer, device }) => {
    const { page, call } = developer
    const code = await device.requestCode()
    dataOf(await call(clients.updateClientInfo, { id: device.client_id, enabled: false }))
    await page.goto(code.verification_uri_complete)
    await clickButton(page, 'Continue')
    await expect(page.getByText('The developer has disabled this app.')).toBeVisible()
    expect(await device.requestToken(code)).toMatchObject({ error: 'invalid_client' })
  })
})
