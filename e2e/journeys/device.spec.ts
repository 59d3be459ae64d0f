import type { Page } from '@playwright/test'
import { clients } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { test as base, expect, PHONE, type Visitor } from '../fixtures.ts'
import { done, settle } from '../settled.ts'
import { openTelevision } from '../television.ts'

const { ana, cvetka } = people

const test = base.extend<{ maker: Visitor; television: Awaited<ReturnType<typeof openTelevision>> }>({
  maker: async ({ house, open }, use) => {
    const visitor = await open()
    await settle(house, visitor, ana)
    await use(visitor)
  },
  television: async ({ house, maker }, use) => use(await openTelevision(house, maker)),
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page) => page.getByLabel('Code on the device')
const asked = (page: Page) => expect(page.getByRole('heading', { name: 'Bonaca wants to use your' })).toBeVisible()

test.describe('/device', () => {
  test('connects a television: signing in on the way, by the keyboard alone', async ({ house, open, television }) => {
    await settle(house, await open(), cvetka)
    const { page } = await open()
    const code = await television.begin()
    await page.goto(code.verification_uri)
    await expect(page).toHaveURL(/\/login/)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { name: 'Connect a device' })).toBeVisible()
    await field(page).focus()
    // However it is typed, it stands there as the device shows it.
    await page.keyboard.type(code.user_code.replace('-', '').toLowerCase())
    await expect(field(page)).toHaveValue(code.user_code)
    await page.keyboard.press('Enter')
    await asked(page)
    await expect(page.getByText('Is this the code on your device?')).toContainText(code.user_code)
    expect(await television.ask(code)).toMatchObject({ error: 'authorization_pending' })
    const allow = page.getByRole('button', { name: 'Allow', exact: true })
    await expect(allow).not.toHaveAttribute('aria-disabled', 'true')
    await allow.focus()
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    expect(await television.ask(code)).toMatchObject({ id_token: expect.any(String) })
    await page.getByRole('link', { name: 'See connected apps' }).click()
    await expect(page.getByText('Bonaca')).toBeVisible()

    // Used up, for whoever finds it on the screen.
    await page.goto(code.verification_uri_complete)
    await press(page, 'Continue')
    await expect(page.getByText('This code is no longer valid')).toBeVisible()
  })

  test('in Slovenian on a phone, with a code that came with the address: no', async ({ house, open, television }) => {
    const visitor = await open({ ...PHONE, locale: 'sl-SI' })
    await settle(house, visitor, cvetka)
    const { page } = visitor
    const code = await television.begin()
    await page.goto(code.verification_uri_complete)
    await expect(page.getByRole('heading', { name: 'Povežite napravo' })).toBeVisible()
    await expect(page.getByLabel('Koda na napravi')).toHaveValue(code.user_code)
    await expect(page.getByText('Nadaljujte samo, če vaša naprava zdaj kaže natanko to kodo.')).toBeVisible()
    await press(page, 'Nadaljuj')
    await expect(page.getByRole('heading', { name: /Aplikacija Bonaca/ })).toBeVisible()
    await press(page, 'Zavrni')
    await expect(page.getByRole('heading', { name: 'Zavrnjeno' })).toBeVisible()
    expect(await television.ask(code)).toMatchObject({ error: 'access_denied' })
  })

  test('another account goes on with the same code', async ({ house, open, maker, television }) => {
    await settle(house, await open(), cvetka)
    const { page } = maker
    const code = await television.begin()
    await page.goto(code.verification_uri_complete)
    await press(page, 'Continue')
    await asked(page)
    await page.getByRole('link', { name: 'Use another account' }).click()
    await press(page, 'Use another account')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await press(page, 'Sign in')
    await expect(field(page)).toHaveValue(code.user_code)
    await press(page, 'Continue')
    await asked(page)
    await press(page, 'Allow')
    await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
    expect(await television.ask(code)).toMatchObject({ id_token: expect.any(String) })
    // Hers, and nothing of Ana's.
    await page.getByRole('link', { name: 'See connected apps' }).click()
    await expect(page.getByText('Bonaca')).toBeVisible()
  })

  test('says that an app was switched off', async ({ maker, television }) => {
    const { page, call } = maker
    const code = await television.begin()
    done(await call(clients.updateClientInfo, { id: television.client_id, enabled: false }))
    await page.goto(code.verification_uri_complete)
    await press(page, 'Continue')
    await expect(page.getByText('The maker has switched this app off.')).toBeVisible()
    expect(await television.ask(code)).toMatchObject({ error: 'invalid_client' })
  })
})
