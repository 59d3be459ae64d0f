import type { Page } from '@playwright/test'
import { type DataOf, sessions, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { signUpConfirmed } from '../accounts.ts'
import { expect, PHONE, test, type Visitor } from '../fixtures.ts'
import type { TestServer } from '../server/test-server.ts'

const { ana, cvetka } = people

/** Runs an action that makes the page draw a QR code; returns that code. */
async function qrCodeAfter(page: Page, action: () => Promise<unknown>): Promise<DataOf<typeof signIn.createQrCode>> {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/v1/auth/qr-code')),
    action(),
  ])
  return (await response.json()).data
}

/** Opens a computer that shows a QR code, and a phone on which Cvetka is signed in. */
async function openComputerAndPhone(server: TestServer, open: (options?: object) => Promise<Visitor>) {
  const phone = await open(PHONE)
  await signUpConfirmed(server, phone, cvetka)
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  const code = await qrCodeAfter(page, () => page.goto('/login'))
  await expect(page.getByRole('img', { name: 'QR code for signing in with your phone' })).toBeVisible()
  return { page, phone, code }
}

test('a phone approves the sign-in of a computer after its user enters the matching number', async ({
  server,
  open,
}) => {
  test.slow()
  const phone = await open(PHONE)
  await signUpConfirmed(server, phone, cvetka)
  await phone.context.clearCookies()
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  const code = await qrCodeAfter(page, () => page.goto('/login?redirect=/devices'))
  await expect(page.getByText(/New code in \d+ s/)).toBeVisible()
  await checkAccessibility(page, 'login with a QR code')

  // The phone has to sign in first and then returns. A fresh sign-in needs no reauthentication.
  await phone.page.goto(code.url)
  await expect(phone.page).toHaveURL(/\/login\?/)
  await phone.page.getByLabel('Email or username').fill(cvetka.email)
  await phone.page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.page.getByRole('heading', { name: 'Sign in on another device?' })).toBeVisible()
  await expect(phone.page.getByText('Chrome, Linux')).toBeVisible()
  await expect(phone.page.getByText('127.0.0.1').or(phone.page.getByText('::1'))).toBeVisible()

  await expect(phone.page.getByText('No one who calls or writes to you needs this.')).toBeVisible()
  await expect(page.getByText('Enter this number on your phone')).toBeVisible()
  await expect(page.getByText(code.match, { exact: true })).toBeVisible()
  await checkAccessibility(page, 'login with the matching number')
  const wrong = code.match === '42' ? '43' : '42'
  const number = phone.page.getByLabel('Number on the other screen')
  await number.fill(wrong)
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByText('That is not the number on the other screen.')).toBeVisible()
  await number.fill(code.match)
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await checkAccessibility(phone.page, 'approved on the phone')

  // The computer continues to the requested page, and the phone lists its session.
  await expect(page).toHaveURL('/devices')
  await phone.page.getByRole('link', { name: 'See devices' }).click()
  const devices = phone.page.getByRole('list', { name: 'Devices' }).locator('> li')
  await devices.filter({ hasText: 'With phone' }).locator('summary').click()
  await expect(phone.page.getByText(/With phone/).first()).toBeVisible()
  await server.mailed(cvetka.email, 'QR code')
})

test('a phone that did not get the answer to its approval says so when the button is pressed again', async ({
  server,
  open,
}) => {
  const { page, phone, code } = await openComputerAndPhone(server, (options) =>
    open({ ...options, allow: /ERR_FAILED/ }),
  )
  await phone.page.goto(code.url)
  await phone.page.getByLabel('Number on the other screen').fill(code.match)
  await phone.page.route('**/v1/auth/qr-code/*', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    await route.fetch()
    await route.abort()
    await phone.page.unroute('**/v1/auth/qr-code/*')
  })
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(page).toHaveURL('/home')
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByRole('heading', { name: 'Approved' })).toBeVisible()
})

test('both devices report a denied, used or disabled QR code', async ({ server, open }) => {
  test.slow()
  const { page, phone, code } = await openComputerAndPhone(server, open)
  await phone.page.goto(code.url)
  await checkAccessibility(phone.page, 'approval on the phone')
  await phone.page.getByRole('button', { name: 'This was not me' }).click()
  await expect(phone.page.getByRole('heading', { name: 'Denied' })).toBeVisible()
  await expect(page.getByText('Denied on your phone')).toBeVisible()
  await checkAccessibility(phone.page, 'denied on the phone')
  await checkAccessibility(page, 'login with a denied QR code')
  const next = await qrCodeAfter(page, () => page.getByRole('button', { name: 'Show a new code' }).click())

  // A code that one user has opened is invalid for another one.
  const otherUser = await open(PHONE)
  await signUpConfirmed(server, otherUser, ana)
  await phone.page.goto(next.url)
  await expect(phone.page.getByRole('button', { name: 'Approve' })).toBeVisible()
  await otherUser.page.goto(next.url)
  await expect(otherUser.page.getByRole('heading', { name: 'This code is no longer valid' })).toBeVisible()
  await checkAccessibility(otherUser.page, 'invalid QR code')

  // The code is approved by an API call while the approval page is open.
  dataOf(await phone.call(signIn.answerQrCode, { code: next.code, approve: true, match: next.match }))
  await expect(page).toHaveURL('/home')
  await phone.page.getByLabel('Number on the other screen').fill(next.match)
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByRole('heading', { name: 'Approved' })).toBeVisible()

  // After QR sign-in is turned off, the phone cannot approve a code.
  await phone.page.goto('/security')
  await phone.page.getByRole('switch', { name: 'Sign in with a QR code' }).click()
  await expect(phone.page.getByText('Sign-in with a QR code is turned off.')).toBeVisible()
  const third = await open({ viewport: { width: 1280, height: 800 } })
  const last = await qrCodeAfter(third.page, () => third.page.goto('/login'))
  await phone.page.goto(last.url)
  await expect(phone.page.getByRole('heading', { name: 'Sign-in with a QR code is off' })).toBeVisible()
  await checkAccessibility(phone.page, 'QR sign-in turned off')
  expect(dataOf(await phone.call(sessions.listSessions)).filter(({ methods }) => methods.includes('qr'))).toHaveLength(
    1,
  )
})

test('an expired QR code is replaced five times, then only on request', async ({ open }) => {
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  await page.clock.install()
  const picture = page.getByRole('img', { name: 'QR code for signing in with your phone' })
  const codes = new Set<string>()
  /** Waits until the page shows the code that it gets after an action: only then the time of that code runs. */
  const shownAfter = async (action: () => Promise<unknown>) => {
    const { code, qr_code } = await qrCodeAfter(page, action)
    await expect(picture).toHaveAttribute('src', qr_code)
    codes.add(code)
  }
  await shownAfter(() => page.goto('/login'))
  for (let replaced = 0; replaced < 5; replaced++) await shownAfter(() => page.clock.fastForward('02:00'))
  expect(codes.size).toBe(6)

  await page.clock.fastForward('02:00')
  await expect(page.getByText('Still here?')).toBeVisible()
  await shownAfter(() => page.getByRole('button', { name: 'Show a new code' }).click())
  expect(codes.size).toBe(7)
})

test('a phone requests no QR code', async ({ open }) => {
  const { page } = await open(PHONE)
  let requested = false
  page.on('request', (request) => (requested ||= request.url().endsWith('/v1/auth/qr-code')))
  await page.goto('/login')
  await page.waitForTimeout(1500)
  expect(requested).toBe(false)
})
