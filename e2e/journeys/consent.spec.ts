import { clients } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana, cvetka } = people

test.describe('§2 the consent screen', () => {
  test('in Slovenian on a phone: first no, then yes', async ({ house, jadrolet, open }) => {
    const maker = await open()
    await settle(house, maker, ana)
    await jadrolet.start(await registerApp(maker, jadrolet.redirect_uri))

    const visitor = await open({ ...PHONE, locale: 'sl-SI' })
    const { page } = visitor
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
    await expect(page.getByText('Nadaljevanje v aplikacijo Jadrolet')).toBeVisible()
    await page.getByRole('button', { name: 'Ustvarite račun' }).click()
    await page.getByLabel(/^Ime/).fill(cvetka.first_name)
    await page.getByLabel('Priimek').fill(cvetka.last_name)
    await page.getByLabel('E-naslov').fill(cvetka.email)
    await page.getByLabel('Geslo', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Ustvari račun' }).click()
    await expect(page.getByRole('heading', { name: 'Preverite e-pošto' })).toBeVisible()

    const tab = await visitor.context.newPage()
    await tab.goto(await house.mailedLink(cvetka.email, '/confirm-email/'))
    await tab.getByRole('button', { name: 'Potrdi e-naslov' }).click()
    await expect(tab.getByRole('heading', { name: 'E-naslov je potrjen' })).toBeVisible()
    await tab.close()

    await expect(page.getByRole('heading', { name: /Aplikacija Jadrolet/ })).toBeVisible()
    await expect(page.getByText('Vpogled v vaš profil', { exact: true })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'Prekliči' }).click()
    await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible()

    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByRole('button', { name: 'Dovoli' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

    await page.goto(house.url)
    await expect(page.getByText('Dostop ima 1 aplikacija')).toBeVisible()
    await expect(page.getByText('Dovoljen dostop aplikaciji Jadrolet')).toBeVisible()
  })

  test('§4 of an app that its makers disabled says so and leads nowhere', async ({ house, jadrolet, open }) => {
    const visitor = await open()
    await settle(house, visitor, ana)
    const client = await registerApp(visitor, jadrolet.redirect_uri)
    await jadrolet.start(client)
    done(await visitor.call(clients.updateClientInfo, { id: client.client_id, enabled: false }))
    const { page } = visitor
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'This app is switched off' })).toBeVisible()
    expect(page.url()).toContain(house.url)

    done(await visitor.call(clients.updateClientInfo, { id: client.client_id, enabled: true }))
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()
  })

  test('never follows an address that the app has not registered', async ({ house, jadrolet, open }) => {
    const visitor = await open()
    await settle(house, visitor, ana)
    await jadrolet.start(await registerApp(visitor, 'http://localhost:1/elsewhere'))
    await visitor.page.goto(jadrolet.url)
    await visitor.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(
      visitor.page.getByRole('heading', { name: 'This app would lead you to the wrong place' }),
    ).toBeVisible()
  })

  test('lets a person decline what a sign-in does not need, and use another account', async ({
    house,
    jadrolet,
    open,
  }) => {
    const maker = await open()
    await settle(house, maker, ana)
    await jadrolet.start(await registerApp(maker, jadrolet.redirect_uri))
    const { page } = maker
    await settle(house, await open(), cvetka)
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    // In the account card, and as what the app would see.
    await expect(page.getByText('ana.kovac@example.com')).toHaveCount(2)
    await page.getByRole('link', { name: 'Use another account' }).click()
    // The sign-in page knows Ana in this browser.
    await page.getByRole('button', { name: 'Use another account' }).click()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByText(cvetka.email)).toHaveCount(2)
    await page.getByRole('switch', { name: 'Allow: See your email address' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
    await expect(page.getByText(cvetka.email)).toBeHidden()
  })
})
