import { account, security, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'
import { loseAnswers } from '../lose-answers.ts'

const { cvetka } = people
const NEW_PASSWORD = 'nova-kljuka-na-vratih-4'

test.describe('forgotten password', () => {
  test('the link in the mail sets a new password once and ends all sessions', async ({ server, open }) => {
    const otherBrowser = await open()
    await signUpConfirmed(server, otherBrowser, cvetka)
    await otherBrowser.page.goto('/home')
    await expect(otherBrowser.page.getByRole('heading', { name: 'Hello, Cvetka' })).toBeVisible()

    const { page } = await open()
    await page.goto('/login')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(cvetka.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()

    const link = await server.mailedLink(cvetka.email, '/change-password/')
    // Mail scanners open links, and users open them twice. Only submitting the form consumes the token.
    await (await open()).page.goto(link)
    await page.goto(link)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible()
    await page.getByLabel('New password').fill('kratko')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Password must be at least 12 characters long.')).toBeVisible()
    // Only the server knows the user of the link.
    await page.getByLabel('New password').fill('cvetka.zajc-1')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('easy to guess: it contains your name, your email or Vrata. Choose')).toBeVisible()
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await expect(page.getByText('Secure', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Your password has been changed. Sign in with the new one.')).toBeVisible()

    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL('/home')

    // The server notifies the open page in the other browser, which goes to the sign-in page.
    await expect(otherBrowser.page).toHaveURL(/\/login\?/)

    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
  })

  test('the link requires a code as well when two-factor authentication is on', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    test.slow()
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, cvetka)
    const authenticator = await enableOtp(owner)
    const { page, call } = await open()
    dataOf(await call(signIn.forgotPassword, { email: cvetka.email }))
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    const code = page.getByLabel('Code from the authenticator app, or a backup code')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await code.fill('000000')
    await checkAccessibility(page, 'new password with a code')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Code is incorrect.')).toBeVisible()
    await expect(code).toBeFocused()
    await code.fill(authenticator.code())
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Your password has been changed. Sign in with the new one.')).toBeVisible()

    // The link does not sign the user in, and two-factor authentication stays on.
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  })

  test('a link that is opened in the browser of another person leaves that person signed in', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const visitor = await open()
    await signUpConfirmed(server, visitor, people.bor)
    const { page, call } = visitor
    dataOf(await call(signIn.forgotPassword, { email: cvetka.email }))
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Your password has been changed. Sign in with the new one.')).toBeVisible()
    await expect(page).toHaveURL('/login?prompt=login')
    expect(dataOf(await call(account.getAccount)).email).toBe(people.bor.email)
  })

  test('a link that is opened where its person is signed in leads to the sign-in page', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page, call } = visitor
    dataOf(await call(signIn.forgotPassword, { email: cvetka.email }))
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Your password has been changed. Sign in with the new one.')).toBeVisible()
    await expect(page).toHaveURL('/login?skip=true')
    await page.goto('/home')
    await expect(page).toHaveURL(/\/login\?redirect=/)
  })

  test('an invalid link offers a new one, and an unknown email gets the same answer', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const { page } = await open()
    await page.goto('/change-password/not-a-token-of-ours')
    await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
    await page.getByLabel('Email').fill('nobody.knows@example.com')
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await expect(page.getByText('If there is an account for nobody.knows@example.com')).toBeVisible()

    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const visitor = await open()
    dataOf(await visitor.call(signIn.forgotPassword, { email: cvetka.email }))
    await visitor.page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    await expect(visitor.page.getByText(/For the account c.*@/)).toBeVisible()
  })

  test('a link whose answer was lost says that the new password may be saved, and leads to the sign-in page', async ({
    server,
    open,
  }) => {
    const visitor = await open({ allow: /ERR_FAILED/ })
    await signUpConfirmed(server, visitor, cvetka)
    const { page, call } = visitor
    dataOf(await call(signIn.forgotPassword, { email: cvetka.email }))
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    await loseAnswers(page, signIn.resetPassword)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    const save = page.getByRole('button', { name: 'Save password' })
    await save.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await page.unrouteAll()
    await save.click()
    await expect(page.getByRole('heading', { name: 'Your new password may already be saved' })).toBeVisible()
    await checkAccessibility(page, 'used link whose answer was lost')
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Sign in|Choose an account/)
  })

  test('a link of which nothing could be read asks for the code when the password is saved', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const person = await openWithoutPage()
    await signUpConfirmed(server, person, cvetka)
    const authenticator = await enableOtp(person)
    dataOf(await person.call(signIn.forgotPassword, { email: cvetka.email }))
    const { page } = await open({ allow: /ERR_FAILED/ })
    await page.route('**/v1/auth/forgot-password/*', (route) => route.abort())
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByLabel('Code from the authenticator app, or a backup code').fill(authenticator.code())
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByText('Your password has been changed. Sign in with the new one.')).toBeVisible()
  })

  test('a password that was changed although the answer was lost is not asked for again', async ({ server, open }) => {
    const visitor = await open({ allow: /ERR_FAILED/ })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/security/change-password')
    await page.getByLabel('Current password').fill(cvetka.password)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await loseAnswers(page, security.changePassword)
    await page.route('**/v1/account', (route) => route.abort())
    const save = page.getByRole('button', { name: 'Change password' })
    await save.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await page.unrouteAll()
    await save.click()
    await expect(page.getByRole('heading', { name: 'Your password has been changed' })).toBeVisible()
  })

  test('an invalid confirmation link is reported', async ({ open }) => {
    const { page } = await open()
    await page.goto('/confirm-email/not-a-token-of-ours')
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign in to get a new link' }).click()
    await expect(page).toHaveURL(/\/login\?redirect=/)
  })
})
