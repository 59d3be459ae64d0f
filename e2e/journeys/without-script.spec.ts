import { connections } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { cvetka } = people

test.describe('a browser without script', () => {
  test('signs in, is told what is wrong, and signs out', async ({ house, open }) => {
    await settle(house, await open(), cvetka)
    const { page, context } = await open({ javaScriptEnabled: false })
    await page.goto('/login?redirect=/home')
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill('not-the-password-1')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/problem=invalid_credentials/)
    expect(page.url()).not.toContain('password-1')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
    expect(await sessionCookies()).toHaveLength(2)
    // "This page needs JavaScript."
    await expect(page.getByRole('link', { name: 'Load again' })).toBeVisible()

    await page.goto('/logout')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect(await sessionCookies()).toHaveLength(0)

    async function sessionCookies() {
      return (await context.cookies()).filter(({ name }) => ['vrata_sid', 'vrata_access'].includes(name))
    }
  })

  test('signs in to an app that may be signed in to already', async ({ house, jadrolet, open }) => {
    const owner = await open()
    await settle(house, owner, cvetka)
    const client = await registerApp(owner, jadrolet.redirect_uri)
    await jadrolet.start(client)
    const scopes = ['openid', 'profile', 'email']
    done(await owner.call(connections.putConsent, { client: client.client_id, scopes }))

    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
    expect(page.url()).toContain(jadrolet.url)
  })

  test('reads the sign-in page in its language', async ({ open }) => {
    const { page } = await open({ javaScriptEnabled: false, locale: 'sl-SI' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
  })
})
