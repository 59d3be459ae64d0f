import { account, connections, policy, security, sessions } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { virtualAuthenticator } from '../authenticator.ts'
import { expect, hydrated, socketOpened, test } from '../fixtures.ts'

const { cvetka } = people

test('a passkey is added, named, used to sign in, renamed and removed', async ({ server, open }) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  const authenticator = await virtualAuthenticator(page)

  await page.goto('/security/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Name the passkey' })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Laptop')).toBeVisible()
  expect(await authenticator.passkeyCount()).toBe(1)
  await checkAccessibility(page, 'passkeys')

  // An authenticator stores one passkey for an account.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()

  // Without user verification no passkey is chosen.
  await authenticator.setUserVerified(false)
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('button', { name: 'Use another account' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'No passkey was chosen, or it took too long.' })).toBeVisible()
  await authenticator.setUserVerified(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL('/home')
  expect(dataOf(await call(account.getAccount)).passkeys).toBe(1)

  await page.goto('/security/passkeys')
  await page.getByRole('button', { name: 'Rename: Laptop' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Prenosnik')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Prenosnik')).toBeVisible()
  await page.getByRole('button', { name: 'Remove: Prenosnik' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No passkeys yet.')).toBeVisible()
  expect(dataOf(await call(security.listPasskeys))).toEqual([])
})

test('a passkey that was stored without an answer is in the list when the device says that it has one', async ({
  server,
  open,
}) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await virtualAuthenticator(page)
  // No event tells the page either.
  await page.routeWebSocket(/socket/, () => {})
  await page.goto('/security/passkeys')
  const store = `**/v1${security.addPasskey.path}`
  await page.route(store, async (route) => {
    if (route.request().method() !== security.addPasskey.method) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  await page.unroute(store)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Rename: / })).toBeVisible()
})

test('a passkey from the suggestions of the browser signs in without a click (conditional mediation)', async ({
  server,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  await virtualAuthenticator(page)
  await page.goto('/security/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Name the passkey' })).toBeVisible()
  await page.keyboard.press('Escape')
  dataOf(await call(sessions.logout))

  // Records the mediation of the call. The virtual authenticator chooses the only passkey at once.
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      sessionStorage.setItem('mediation', String(options?.mediation))
      return get(options)
    }
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Use another account' }).click()
  await expect(page).toHaveURL('/home')
  expect(await page.evaluate(() => sessionStorage.getItem('mediation'))).toBe('conditional')
  const [session] = dataOf(await call(sessions.listSessions))
  expect(session?.methods).toEqual(['passkey'])
})

test('a sign-in page that stays open suggests passkeys with a new challenge before the former one ends', async ({
  open,
}) => {
  const { page } = await open()
  // Suggestions of which none is chosen.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => true
    navigator.credentials.get = (options) =>
      new Promise((_, reject) => {
        document.documentElement.dataset.suggested = String(options?.publicKey?.challenge.byteLength)
        options?.signal?.addEventListener('abort', () => {
          delete document.documentElement.dataset.suggested
          reject(options.signal?.reason)
        })
      })
  })
  await page.clock.install()
  const suggested = page.locator('html[data-suggested="32"]')
  const challenge = async () => {
    const answer = await page.waitForResponse('**/v1/auth/passkey/options')
    return (await answer.json()).data.challenge as string
  }
  const first = challenge()
  await page.goto('/login')
  await expect(suggested).toBeAttached()
  const second = challenge()
  await page.clock.fastForward('09:30')
  expect(await second).not.toBe(await first)
  await expect(suggested).toBeAttached()
})

test('a user with an unconfirmed address confirms it before adding a passkey', async ({ server, open }) => {
  const visitor = await open()
  await signUp(visitor, cvetka)
  const { page } = visitor
  await page.goto('/security/two-factor-authentication')
  await expect(page.getByText('Confirm your email address first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeHidden()
  await page.goto('/security/passkeys')
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeHidden()
  await checkAccessibility(page, 'passkeys before the address is confirmed')
  await page.getByRole('link', { name: 'Confirm email' }).click()
  await expect(page.getByText('An account whose address is not confirmed within 14 days is deleted.')).toBeVisible()

  const token = tokenIn(await server.mailedLink(cvetka.email, '/confirm-email/'))
  dataOf(await visitor.call(security.verifyEmail, { token }))
  await expect(page).toHaveURL('/security/passkeys')
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible()
})

test('a user who has to set up a second factor is not offered another address, which cannot be changed yet', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const operator = await openWithoutPage()
  await signUpOperator(server, operator, people.ana)
  dataOf(await operator.call(policy.updatePolicy, { second_factor: 'everyone' }))
  const visitor = await open()
  await signUp(visitor, cvetka)
  const { page } = visitor
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Protect your account' })).toBeVisible()
  await page.getByRole('link', { name: 'Confirm email' }).click()
  await expect(page.getByRole('button', { name: 'Resend' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use another address' })).toBeHidden()
})

test('a page that waits for a second factor goes on when none is required any more', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const operator = await openWithoutPage()
  await signUpOperator(server, operator, people.ana)
  dataOf(await operator.call(policy.updatePolicy, { second_factor: 'everyone' }))
  const visitor = await open()
  await signUp(visitor, cvetka)
  const { page } = visitor
  const connected = socketOpened(page)
  await page.goto('/devices')
  await expect(page.getByRole('heading', { name: 'Protect your account' })).toBeVisible()
  await connected
  dataOf(await operator.call(policy.updatePolicy, { second_factor: 'optional' }))
  await expect(page).toHaveURL('/devices')
})

test('a passkey is offered once after a sign-in with the password, and the app gets its user', async ({
  server,
  jadrolet,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const owner = await openWithoutPage()
  await signUpConfirmed(server, owner, cvetka)
  const client = await registerApp(owner, jadrolet.redirect_uri)
  await jadrolet.start(client)
  const scopes = ['openid', 'profile', 'email']
  dataOf(await owner.call(connections.submitConsent, { client: client.client_id, scopes }))

  const { page } = await open()
  const authenticator = await virtualAuthenticator(page)
  async function signInToJadrolet() {
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await hydrated(page)
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signInToJadrolet()
  await expect(page.getByRole('heading', { name: 'Sign in faster next time' })).toBeVisible()
  await checkAccessibility(page, 'passkey offer')
  await page.reload()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
  expect(await authenticator.passkeyCount()).toBe(1)

  const [passkey] = dataOf(await owner.call(security.listPasskeys))
  dataOf(await owner.call(security.removePasskey, { id: passkey?.id ?? '' }))
  await page.context().clearCookies()
  await signInToJadrolet()
  await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
})

test('a passkey is not offered before the address is confirmed', async ({ open }) => {
  const visitor = await open()
  const { page, call } = visitor
  await virtualAuthenticator(page)
  await signUp(visitor, cvetka)
  dataOf(await call(sessions.logout))
  await page.goto('/login?redirect=/devices')
  await page.getByRole('button', { name: 'Use another account' }).click()
  await page.getByLabel('Email or username').fill(cvetka.email)
  await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/devices')
})
