import type { Page } from '@playwright/test'
import { account, connections, security, sessions } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, registerApp, signUpConfirmed } from '../accounts.ts'
import { authenticatorApp, virtualAuthenticator } from '../authenticator.ts'
import { expect, hydrated, socketOpened, test } from '../fixtures.ts'

const { bor, cvetka } = people
const PAGE = '/security/two-factor-authentication'

/** Signs out, and in again as far as the second factor. */
async function signInWithPassword(page: Page) {
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page
    .getByRole('button', { name: /^Cvetka Zajc|Cvetka/ })
    .first()
    .click()
  await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}

/** Signs in as far as the second factor, in a browser without known accounts. */
async function beginSignIn(page: Page, { email, password }: typeof bor | typeof cvetka) {
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}

test('a second step whose code cannot be loaded says so, and the password can be sent again', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const person = await openWithoutPage()
  await signUpConfirmed(server, person, cvetka)
  await enableOtp(person)
  const { page } = await open({ allow: /ERR_FAILED|dynamically imported|Preload/, fresh: true })
  // Simulates a page that has just reloaded for a new release.
  await page.addInitScript('sessionStorage.reloaded = Date.now()')
  const phrases = /\/assets\/second-factor-/
  await page.route(phrases, (route) => route.abort())
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(cvetka.email)
  await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  const send = page.getByRole('button', { name: 'Sign in', exact: true })
  await send.click()
  await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  await page.unroute(phrases)
  await send.click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
})

test('a second step that another person’s in another tab has replaced says so', async ({
  server,
  open,
  openWithoutPage,
}) => {
  for (const one of [cvetka, bor]) {
    const person = await openWithoutPage()
    await signUpConfirmed(server, person, one)
    await enableOtp(person)
  }
  const { page, context, call } = await open({ allow: /409/ })
  await beginSignIn(page, cvetka)
  await beginSignIn(await context.newPage(), bor)
  // Kept by a reload.
  await page.reload()
  await page.getByLabel('Code', { exact: true }).fill('123 456')
  await expect(page.getByText('A sign-in with another account was started in another tab')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await call(account.getAccount)).toMatchObject({ http: 401 })
  // Simulates a form that was sent before the script ran.
  await page.goto('/login?problem=sign_in_replaced')
  await hydrated(page)
  await expect(page.getByText('A sign-in with another account was started in another tab')).toBeVisible()
})

test('a second step is completed where an older server answers, which does not know the name of the sign-in', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const person = await openWithoutPage()
  await signUpConfirmed(server, person, cvetka)
  await enableOtp(person)
  const { page } = await open({ allow: /400/ })
  await page.route('**/v1/auth/login/otp', async (route) => {
    const { sign_in } = route.request().postDataJSON()
    if (sign_in === undefined) return await route.continue()
    const error = { code: 'invalid_request', message: '', fields: { sign_in: 'unknown' } }
    await route.fulfill({ status: 400, json: { status: 'error', error } })
  })
  await beginSignIn(page, cvetka)
  await page.getByLabel('Code', { exact: true }).fill('123 456')
  await expect(page.getByText('Code is incorrect.')).toBeVisible()
})

test('two-factor authentication is turned on, used with a code and a backup code, and turned off', async ({
  server,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor

  await page.goto('/home')
  await page.getByRole('link', { name: /Only a password protects your account/ }).click()
  await expect(page).toHaveURL(PAGE)
  await checkAccessibility(page, 'two-factor authentication off')
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  // The field of the code comes after it: a phone would open its keyboard, and a screen reader would not read what to scan.
  await expect(page.getByRole('heading', { name: 'Step 1 of 3: Scan the code' })).toBeFocused()
  const authenticator = authenticatorApp(await page.locator('code').innerText())
  await checkAccessibility(page, 'two-factor authentication setup')

  // A wrong code is reported at its field, and the QR code stays valid. The sixth digit sends the code.
  await page.getByLabel('Code', { exact: true }).fill('000 000')
  await expect(page.getByText('Code is incorrect.')).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  const first = authenticator.code()
  await page.keyboard.type(`${first.slice(0, 3)} ${first.slice(3)}`)

  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'Step 3 of 3: Save the backup codes' })).toBeFocused()
  const [backup = ''] = await codes.allInnerTexts()
  await checkAccessibility(page, 'backup codes')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('Check this box once the codes are saved')).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('vrata-backup-codes.txt')
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('10 codes left')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeFocused()
  await checkAccessibility(page, 'two-factor authentication on')

  await signInWithPassword(page)
  await checkAccessibility(page, 'sign-in with a code')
  // A code is accepted once.
  await expect(page).toHaveURL(/[?&]otp=true&sign_in=[\w-]+$/)
  await expect(page).toHaveTitle('Enter your code · Vrata')
  await page.getByLabel('Code', { exact: true }).fill(first)
  await expect(page.getByText('Code is incorrect.')).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(authenticator.code())
  await expect(page).toHaveURL('/home')

  await signInWithPassword(page)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(backup.toUpperCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/home')

  await page.goto(PAGE)
  await expect(page.getByText('9 codes left')).toBeVisible()
  await page.getByRole('button', { name: 'Replace codes' }).click()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await expect(codes).toHaveCount(10)
  const [renewed = ''] = await codes.allInnerTexts()
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Finish' }).click()

  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Code from the authenticator app, or a backup code').fill(backup)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('dialog').getByText('Code is incorrect.')).toBeVisible()
  await page.getByLabel('Code from the authenticator app, or a backup code').fill(renewed)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
})

test('two-factor authentication is turned on in the card of a public page', async ({ server, open }) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.goto('/admin/protect-account')
  // A view has one primary button (design §5.4): the passkey at first, then the way that was chosen.
  const primary = page.locator('main button.bg-brand')
  await expect(primary).toHaveText(['Add a passkey'])
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect(primary).toHaveText(['Turn on'])
  // The code stays in its card on a small phone.
  await page.setViewportSize({ width: 320, height: 800 })
  const code = page.getByRole('img', { name: 'QR code for the authenticator app' })
  const right = (element: Element) => element.getBoundingClientRect().right
  const card = page.getByRole('region', { name: 'Two-step sign-in' })
  expect(await code.evaluate(right)).toBeLessThan(await card.evaluate(right))
  const authenticator = authenticatorApp(await page.locator('code').innerText())
  await checkAccessibility(page, 'two-factor authentication setup in a card')
  await page.getByLabel('Code', { exact: true }).fill(authenticator.code())
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10)
  await checkAccessibility(page, 'backup codes in a card')
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page).toHaveURL('/home')
})

test('backup codes are shown also when the page learns earlier that two-step sign-in is on', async ({
  server,
  open,
}) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  const connected = socketOpened(page)
  await page.goto(PAGE)
  await connected
  // The answer is slower than the event, after which the page reads the account.
  await page.route('**/account/confirm-otp', async (route) => {
    const read = page.waitForResponse((response) => response.url().endsWith('/v1/account'))
    const response = await route.fetch()
    await read
    await page.waitForTimeout(300)
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Set up' }).click()
  const authenticator = authenticatorApp(await page.locator('code').innerText())
  await page.getByLabel('Code', { exact: true }).fill(authenticator.code())
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10)
})

test('backup codes are shown also where the answer to the code was lost', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.goto(PAGE)
  await page.getByRole('button', { name: 'Set up' }).click()
  const authenticator = authenticatorApp(await page.locator('code').innerText())
  await page.route('**/account/confirm-otp', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.route('**/v1/account', (route) => route.abort())
  await page.getByLabel('Code', { exact: true }).fill(authenticator.code())
  await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  await page.unrouteAll()
  // The first codes were never shown, so others replace them.
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10)
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page.getByText('10 codes left')).toBeVisible()
})

test('a person whose code got no answer can add a passkey instead', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await virtualAuthenticator(page)
  await page.goto('/admin/protect-account')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.route('**/account/confirm-otp', (route) => route.abort())
  await page.getByLabel('Code', { exact: true }).fill('123456')
  await expect(page.getByText('The server can’t be reached.')).toBeVisible()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page).toHaveURL('/home')
})

test('a browser without passkeys is not asked to add one as a second factor', async ({ server, open }) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.addInitScript('delete globalThis.PublicKeyCredential')
  await page.goto('/admin/protect-account')
  await expect(page.locator('main button.bg-brand')).toHaveText(['Set up'])
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeHidden()
})

test('a setup that took too long restarts and says why', async ({ server, open }) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.goto(PAGE)
  await page.route('**/account/confirm-otp', (route) =>
    route.fulfill({
      status: 409,
      json: { status: 'error', error: { code: 'otp_setup_expired', message: 'Expired.' } },
    }),
  )
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Code', { exact: true }).fill('123456')
  await expect(page.getByText('Setup took too long. Start again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
})

for (const javaScriptEnabled of [true, false])
  test(`an app that requires both factors again gets both, ${javaScriptEnabled ? 'with' : 'without'} script`, async ({
    server,
    jadrolet,
    open,
  }) => {
    const visitor = await open({ javaScriptEnabled })
    const { page, call } = visitor
    await signUpConfirmed(server, visitor, cvetka)
    const authenticator = await enableOtp(visitor)
    const { recovery_codes } = dataOf(await call(security.renewRecoveryCodes))
    const client = await registerApp(visitor, jadrolet.redirect_uri)
    await jadrolet.start(client)
    const { client_id } = client
    dataOf(await call(connections.submitConsent, { client: client_id, scopes: ['openid'] }))
    const request = new URLSearchParams({
      client_id,
      redirect_uri: jadrolet.redirect_uri,
      response_type: 'code',
      scope: 'openid',
      prompt: 'login',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      claims: JSON.stringify({ id_token: { acr: { essential: true, value: '2' } } }),
    })
    const enterPassword = async () => {
      if (javaScriptEnabled)
        await page
          .getByRole('button', { name: /Cvetka/ })
          .first()
          .click()
      else await page.getByLabel('Email or username').fill(cvetka.email)
      await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
    }
    const code = page.getByLabel('Code', { exact: true })
    const send = page.getByRole('button', { name: 'Continue' })
    const returned = async () => {
      await page.waitForRequest((one) => one.url().startsWith(`${jadrolet.redirect_uri}?code=`))
      await page.waitForURL(jadrolet.url)
    }
    await page.goto(`/authorize?${request}`)
    await enterPassword()
    const first = returned()
    await code.fill(authenticator.code())
    if (!javaScriptEnabled) await send.first().click()
    await first

    // The password alone, as in the account pages, is not enough.
    await page.goto(`/authorize?${request}`)
    const waiting = new URL(page.url()).searchParams.get('redirect') ?? ''
    dataOf(await call(sessions.reauthenticate, { password: cvetka.password }))
    await page.goto(waiting)
    await expect(page).toHaveURL(/\/login\?/)
    await enterPassword()
    if (javaScriptEnabled) await page.getByRole('button', { name: 'Use a backup code' }).click()
    else {
      await code.fill('000000')
      await send.first().click()
    }
    await page.getByLabel('Backup code').fill(recovery_codes[0] ?? '')
    await Promise.all([returned(), send.last().click()])
  })
