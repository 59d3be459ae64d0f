import { account, sessions, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test, visit } from '../fixtures.ts'

const { cvetka } = people

test('the security check marks what needs attention and leads through it, one after the other', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  dataOf(await (await openWithoutPage()).call(signIn.login, { username: cvetka.email, password: cvetka.password }))

  await page.goto('/home')
  await expect(page.getByText('2 things need your attention.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Do you recognize this new device? Needs your attention' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Add a passkey/ })).not.toHaveAccessibleName(/Needs your attention/)
  await page.getByRole('button', { name: 'Review' }).click()

  await expect(page).toHaveURL('/devices')
  const review = page.getByRole('region', { name: 'Security check' })
  await expect(review).toContainText('Do you recognize this new device?')
  await page.getByRole('button', { name: 'Yes, I do' }).click()
  await expect(review).toContainText('Done')
  await checkAccessibility(page, 'security check')
  // The check concerns the person, not the organization whose pages are open meanwhile.
  const { developer_id } = await registerApp(visitor)
  await page.goto(`/developers/${developer_id}/members`, { waitUntil: 'networkidle' })
  await expect(review).toBeHidden()
  await page.goBack()
  await review.getByRole('button', { name: 'Next' }).click()

  await expect(page).toHaveURL('/security/two-factor-authentication')
  await expect(review).toContainText('Only a password protects your account')
  await page.reload()
  await review.getByRole('button', { name: 'Finish' }).click()
  await expect(page).toHaveURL('/home')
  await expect(page.getByText('You have gone through the security check.')).toBeVisible()
  await expect(page.getByText('1 thing needs your attention.')).toBeVisible()
  expect(dataOf(await call(sessions.listSessions))).toHaveLength(2)
})

test('the security check says that devices could not be checked, not that all is well', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  await enableOtp(visitor)
  const { page } = visitor
  const unknown = page.getByText('Your devices and apps could not be checked.')
  await page.goto('/your-info')
  await page.route('**/v1/auth/sessions', (route) => route.abort())
  await visit(page, '/home')
  await expect(unknown).toBeVisible()
  await expect(page.getByText('Nothing needs your attention.')).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nothing needs your attention.')).toBeVisible()
})

test('the security check says so beside what it has found, too', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  const unknown = page.getByText('Your devices and apps could not be checked.')
  await page.goto('/your-info')
  await page.route('**/v1/auth/sessions', (route) => route.abort())
  await visit(page, '/home')
  await expect(page.getByText('1 thing needs your attention.')).toBeVisible()
  await expect(unknown).toBeVisible()
  await checkAccessibility(page, 'security check without devices')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(unknown).toBeHidden()
  await expect(page.getByText('1 thing needs your attention.')).toBeVisible()
})

test('the bar of the security check stays where the devices could not be checked', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await page.goto('/home')
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(page).toHaveURL('/security/two-factor-authentication')
  await enableOtp(visitor)
  await page.route('**/v1/auth/sessions', (route) => route.abort())
  await page.reload()
  const review = page.getByRole('region', { name: 'Security check' })
  await expect(review).toContainText('Your devices and apps could not be checked.')
  await page.unrouteAll()
  await review.getByRole('button', { name: 'Try again' }).click()
  await expect(review).toContainText('Done')
})

test('the security page lists every way to sign in with its state', async ({ server, open }) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  await page.goto('/security')
  const ways = page.getByRole('region', { name: 'Ways to sign in' })
  await expect(ways.getByRole('listitem')).toHaveText([
    /^PasswordLast changed: /,
    /^PasskeysNone yet/,
    /^Two-step sign-inOff$/,
    /^Backup codesYou get them when you turn on two-step sign-in/,
  ])
  await expect(page.getByRole('switch', { name: 'Sign in with a QR code' })).toBeChecked()
  await checkAccessibility(page, 'ways to sign in')
  await ways.getByRole('link', { name: /^Passkeys/ }).click()
  await expect(page).toHaveURL('/security/passkeys')
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible()
  expect(dataOf(await call(account.getAccount)).passkeys).toBe(0)
})
