import type { Page } from '@playwright/test'
import { adminUsers, clients, connections, paths, policy, security } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { addPasskey, enableOtp, registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { virtualAuthenticator } from '../authenticator.ts'
import { expect, test } from '../fixtures.ts'

const { ana, bor, cvetka } = people

test.describe('browser without JavaScript', () => {
  test('reports a wrong password, signs in and signs out', async ({ server, open, openWithoutPage }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const { page, context } = await open({ javaScriptEnabled: false })
    await page.goto('/login?redirect=/home')
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill('not-the-password-1')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/problem=invalid_credentials/)
    await expect(page.getByRole('alert')).toHaveText('Email or password is wrong. Check both and try again.')
    expect(page.url()).not.toContain('password-1')
    await expect(page.getByLabel('Email or username')).toHaveValue(cvetka.email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')
    expect(await sessionCookies()).toHaveLength(2)
    await expect(page.getByRole('heading', { name: 'This page needs JavaScript' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'The page could not be loaded' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Reload' })).toBeVisible()

    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'Sign out on this device?' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect(await sessionCookies()).toHaveLength(0)

    async function sessionCookies() {
      return (await context.cookies()).filter(({ name }) => ['vrata_sid', 'vrata_access'].includes(name))
    }
  })

  test('signs in to an app, chooses what it may see and returns', async ({ server, jadrolet, open }) => {
    const owner = await open()
    await signUpConfirmed(server, owner, cvetka)
    const app = await registerApp(owner, jadrolet.redirect_uri)
    const policies = {
      privacy_policy_url: 'https://jadrolet.example/privacy',
      terms_of_service_url: 'https://jadrolet.example/terms',
    }
    dataOf(await owner.call(clients.updateClientInfo, { id: app.client_id, ...policies }))
    await jadrolet.start(app)
    // The accessibility check needs scripts, which the page itself does not.
    await owner.page.goto(jadrolet.url)
    await owner.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(owner.page).toHaveURL(/uid=/)
    const query = new URL(owner.page.url()).searchParams
    const request = { uid: query.get('uid') ?? '', client_id: query.get('client_id') ?? '' }
    await owner.page.goto(paths.plainConsent(request))
    await checkAccessibility(owner.page, 'consent without script')

    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    // Playwright finds no text in `noscript`.
    await expect(page.getByRole('heading', { level: 1 }).locator('~ p b')).toHaveText('Jadrolet')
    await expectPolicies(page)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'wants to use your Vrata account' })).toBeVisible()
    await expect(page.getByText(`Signed in as ${cvetka.email}`)).toBeVisible()
    await expectPolicies(page)
    for (const decision of ['Allow', 'Cancel'])
      await expect(page.getByRole('button', { name: decision })).toBeInViewport()
    await page.getByRole('checkbox', { name: 'See your email address' }).uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
    expect(page.url()).toContain(jadrolet.url)
    const [connected] = dataOf(await owner.call(connections.listConnections))
    expect(connected?.scopes.map(({ key }) => key)).toEqual(['openid', 'profile'])

    const visitor = await open()
    await visitor.page.goto(jadrolet.url)
    await visitor.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(visitor.page.getByText('to continue to Jadrolet')).toBeVisible()
    await expectPolicies(visitor.page)

    async function expectPolicies(page: Page) {
      const link = (name: RegExp) => page.getByRole('link', { name })
      await expect(link(/^Privacy policy/)).toHaveAttribute('href', policies.privacy_policy_url)
      await expect(link(/^Terms of service/)).toHaveAttribute('href', policies.terms_of_service_url)
    }
  })

  test('creates an account on the way to an app, confirms the email and returns', async ({
    server,
    jadrolet,
    open,
    openWithoutPage,
  }) => {
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, ana)
    await jadrolet.start(await registerApp(owner, jadrolet.redirect_uri))

    const { page, context } = await open({ javaScriptEnabled: false })
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
    await page.getByLabel('First name').fill(cvetka.first_name)
    await page.getByLabel('Email').fill(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toHaveText('Email already exists. Click here to log in.')
    await expect(page.getByLabel('First name')).toHaveValue(cvetka.first_name)
    await page.getByLabel('Email').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const newestLink = () => server.mailedLink(cvetka.email, '/confirm-email/')
    const first = await newestLink()
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText('We sent the email again.')).toBeVisible()
    // The first link is void, and a job sends the other one.
    await expect.poll(newestLink).not.toBe(first)

    const tab = await context.newPage()
    await tab.goto(await newestLink())
    await tab.getByRole('button', { name: 'Confirm email' }).click()
    await expect(tab.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
    await expect(tab.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/home')
    await page.getByRole('link', { name: 'Confirmed, continue' }).click()
    await expect(page.getByRole('heading', { name: 'wants to use your Vrata account' })).toBeVisible()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()
    expect(page.url()).toContain(jadrolet.url)
  })

  test('answers an app with another account', async ({ server, jadrolet, open, openWithoutPage }) => {
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, cvetka)
    await jadrolet.start(await registerApp(owner, jadrolet.redirect_uri))
    await signUpConfirmed(server, await openWithoutPage(), ana)

    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    for (const { email, password, first_name } of [cvetka, ana]) {
      await page.getByLabel('Email or username').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByText(`Signed in as ${email}`)).toBeVisible()
      if (first_name === ana.first_name) break
      await page.getByRole('link', { name: 'Use another account' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
    }
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()
    expect(page.url()).toContain(jadrolet.url)
  })

  test('signs in to an app that has consent already', async ({ server, jadrolet, open, openWithoutPage }) => {
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, cvetka)
    const client = await registerApp(owner, jadrolet.redirect_uri)
    await jadrolet.start(client)
    const scopes = ['openid', 'profile', 'email']
    dataOf(await owner.call(connections.submitConsent, { client: client.client_id, scopes }))

    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
    expect(page.url()).toContain(jadrolet.url)
  })

  test('signs in with a code, and sets a new password by a link with another', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, cvetka)
    const authenticator = await enableOtp(owner)
    const { recovery_codes } = dataOf(await owner.call(security.renewRecoveryCodes))
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto('/login?redirect=/home')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('000000')
    await page.getByRole('button', { name: 'Continue' }).first().click()
    await expect(page.getByRole('alert')).toHaveText('Code is incorrect.')
    await expect(page.getByLabel('Backup code')).toBeVisible()
    await code.fill(authenticator.code())
    await page.getByRole('button', { name: 'Continue' }).first().click()
    await expect(page).toHaveURL('/home')

    await page.context().clearCookies()
    await page.goto('/login?redirect=/security')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email').fill(cvetka.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByText('If there is an account for this address')).toBeVisible()
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    const password = 'nova-kljuka-na-vratih-4'
    const reset = async (code: string, chosen = password) => {
      await page.getByLabel('New password', { exact: true }).fill(chosen)
      await page.getByLabel('or a backup code').fill(code)
      await page.getByRole('button', { name: 'Save password' }).click()
    }
    await reset('')
    await expect(page.getByRole('alert')).toHaveText('Also enter a code from your authenticator app.')
    // Both codes of the authenticator that are valid now have been used.
    await reset(recovery_codes[0] ?? '', 'cvetka.zajc-1')
    await expect(page.getByRole('alert')).toContainText('it contains your name, your email or Vrata')
    await reset(recovery_codes[0] ?? '')
    await expect(page.getByRole('heading', { name: 'Your password has been changed' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto('/login?redirect=/security')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Backup code').fill(recovery_codes[1] ?? '')
    await page.getByRole('button', { name: 'Continue' }).last().click()
    await expect(page).toHaveURL('/security')
  })

  test('sets up an invited account by each way that the policy allows', async ({ server, open }) => {
    const operator = await open()
    await signUpOperator(server, operator, ana)
    await virtualAuthenticator(operator.page)
    await addPasskey(operator.page)
    const { email, first_name, last_name } = bor
    dataOf(await operator.call(adminUsers.createUser, { email, first_name, last_name }))
    const link = await server.mailedLink(email, '/accept-account/')
    const { page } = await open({ javaScriptEnabled: false })
    const withScript = (await open()).page
    const expectWays = async (password: boolean, passkey: boolean) => {
      for (const [visitor, script] of [
        [page, false],
        [withScript, true],
      ] as const) {
        await visitor.goto(link)
        await expect(visitor.getByRole('heading', { name: 'Set up your account' })).toBeVisible()
        const save = visitor.getByRole('button', { name: 'Save password and sign in' })
        await expect(save).toBeVisible({ visible: password })
        await expect(visitor.getByRole('button', { name: 'Use a passkey' })).toBeVisible({ visible: passkey && script })
        await expect(visitor.getByText('Or without a password')).toBeVisible({ visible: password && passkey && script })
      }
      // Playwright finds no text in `noscript`.
      await expect(page.locator('[data-without]')).toBeVisible({ visible: !password })
    }

    await expectWays(true, true)
    dataOf(await operator.call(policy.updatePolicy, { passkey_sign_in: false }))
    await expectWays(true, false)
    dataOf(await operator.call(policy.updatePolicy, { passkey_sign_in: true, password_sign_in: false }))
    await expectWays(false, true)
  })

  test('gets the sign-in page in its language', async ({ open }) => {
    const { page } = await open({ javaScriptEnabled: false, locale: 'sl-SI' })
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: 'Prijava' })).toBeVisible()
  })
})
