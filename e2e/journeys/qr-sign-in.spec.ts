import type { Page } from '@playwright/test'
import { auth, type DataOf, qr } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, PHONE, test, type Visitor } from '../fixtures.ts'
import type { House } from '../house.ts'
import { inspect } from '../screens.ts'
import { done, settle } from '../settled.ts'

const { ana, cvetka } = people

/** The code that the screen draws, as a camera would read it. */
async function drawn(page: Page, act: () => Promise<unknown>): Promise<DataOf<typeof qr.drawQrCode>> {
  const [answer] = await Promise.all([page.waitForResponse((one) => one.url().endsWith('/v1/auth/qr-code')), act()])
  return (await answer.json()).data
}

/** A computer that shows a code, and Cvetka's phone. */
async function two(house: House, open: (options?: object) => Promise<Visitor>) {
  const phone = await open(PHONE)
  await settle(house, phone, cvetka)
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  const shown = await drawn(page, () => page.goto('/login'))
  await expect(page.getByRole('img', { name: 'QR code that opens the sign-in on your phone' })).toBeVisible()
  return { page, phone, shown }
}

test('§4 a phone signs a computer in: who asks, the number, the proof', async ({ house, open }) => {
  test.slow()
  const phone = await open(PHONE)
  await settle(house, phone, cvetka)
  await phone.context.clearCookies()
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  const shown = await drawn(page, () => page.goto('/login?redirect=/devices'))
  await expect(page.getByText(/A new code in \d+ s/)).toBeVisible()
  await inspect(page, 'login with a code')

  // The phone has to sign in first, and comes back to the question: that sign-in is its fresh proof.
  await phone.page.goto(shown.url)
  await expect(phone.page).toHaveURL(/\/login\?/)
  await phone.page.getByLabel('Email or username').fill(cvetka.email)
  await phone.page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await phone.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(phone.page.getByRole('heading', { name: 'Sign in on another device?' })).toBeVisible()
  await expect(phone.page.getByText('Chrome, Linux')).toBeVisible()
  await expect(phone.page.getByText('127.0.0.1').or(phone.page.getByText('::1'))).toBeVisible()

  await expect(phone.page.getByText('Nobody who calls or writes to you needs this.')).toBeVisible()
  await expect(page.getByText('Type this number on your phone')).toBeVisible()
  await expect(page.getByText(shown.match, { exact: true })).toBeVisible()
  await inspect(page, 'login with a number to type')
  const wrong = shown.match === '42' ? '43' : '42'
  const number = phone.page.getByLabel('Number on the other screen')
  await number.fill(wrong)
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByText('That is not the number on the other screen.')).toBeVisible()
  await number.fill(shown.match)
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByRole('heading', { name: 'Approved' })).toBeVisible()
  await inspect(phone.page, 'approved on the phone')

  // The computer goes where it was headed; both see the other.
  await expect(page).toHaveURL('/devices')
  await phone.page.getByRole('link', { name: 'See devices' }).click()
  const devices = phone.page.getByRole('list', { name: 'Devices' }).locator('> li')
  await devices.filter({ hasText: 'With phone' }).locator('summary').click()
  await expect(phone.page.getByText(/With phone/).first()).toBeVisible()
  await house.mailed(cvetka.email, 'QR code')
})

test('§4 denied on the phone, and what has expired, is told on both sides', async ({ house, open }) => {
  test.slow()
  const { page, phone, shown } = await two(house, open)
  await phone.page.goto(shown.url)
  await inspect(phone.page, 'a question on the phone')
  await phone.page.getByRole('button', { name: 'This was not me' }).click()
  await expect(phone.page.getByRole('heading', { name: 'Denied' })).toBeVisible()
  await expect(page.getByText('Denied on the phone')).toBeVisible()
  await inspect(phone.page, 'denied on the phone')
  await inspect(page, 'login with a code that was denied')
  const next = await drawn(page, () => page.getByRole('button', { name: 'Show a code again' }).click())

  // A second person finds a code that somebody else has opened as good as gone.
  const stranger = await open(PHONE)
  await settle(house, stranger, ana)
  await phone.page.goto(next.url)
  await expect(phone.page.getByRole('button', { name: 'Approve' })).toBeVisible()
  await stranger.page.goto(next.url)
  await expect(stranger.page.getByRole('heading', { name: 'This code is no longer valid' })).toBeVisible()
  await inspect(stranger.page, 'a code that is gone')

  // Used elsewhere while the question stands open.
  done(await phone.call(qr.answerQrCode, { code: next.code, approve: true, match: next.match }))
  await expect(page).toHaveURL('/home')
  await phone.page.getByLabel('Number on the other screen').fill(next.match)
  await phone.page.getByRole('button', { name: 'Approve' }).click()
  await expect(phone.page.getByRole('heading', { name: 'This code is no longer valid' })).toBeVisible()

  // It can be switched off, and then no phone of hers approves anything.
  await phone.page.goto('/security/two-factor-authentication')
  await phone.page.getByRole('switch', { name: 'Sign in with a QR code' }).click()
  await expect(phone.page.getByText('Sign-in with a QR code is switched off.')).toBeVisible()
  const third = await open({ viewport: { width: 1280, height: 800 } })
  const last = await drawn(third.page, () => third.page.goto('/login'))
  await phone.page.goto(last.url)
  await expect(phone.page.getByRole('heading', { name: 'Sign-in with a QR code is off' })).toBeVisible()
  await inspect(phone.page, 'a code where they are off')
  expect(done(await phone.call(auth.listSessions)).filter(({ methods }) => methods.includes('qr'))).toHaveLength(1)
})

test('§4 a code that ran out is drawn anew, six in all; then somebody has to ask', async ({ open }) => {
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  await page.clock.install()
  const picture = page.getByRole('img', { name: 'QR code that opens the sign-in on your phone' })
  const codes = new Set([(await drawn(page, () => page.goto('/login'))).code])
  for (let redraw = 0; redraw < 5; redraw++) {
    await expect(picture).toBeVisible()
    codes.add((await drawn(page, () => page.clock.fastForward('02:00'))).code)
  }
  expect(codes.size).toBe(6)

  await expect(picture).toBeVisible()
  await page.clock.fastForward('02:00')
  await expect(page.getByText('Still here?')).toBeVisible()
  codes.add((await drawn(page, () => page.getByRole('button', { name: 'Show a code again' }).click())).code)
  await expect(picture).toBeVisible()
  expect(codes.size).toBe(7)
})

test('phones show no code of their own', async ({ open }) => {
  const { page } = await open(PHONE)
  let asked = false
  page.on('request', (one) => (asked ||= one.url().endsWith('/v1/auth/qr-code')))
  await page.goto('/login')
  await page.waitForTimeout(1500)
  expect(asked).toBe(false)
})
