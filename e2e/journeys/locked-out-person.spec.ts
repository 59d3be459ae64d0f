import { policy, system } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { addPasskey, enableOtp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { virtualAuthenticator } from '../authenticator.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, bor } = people

test('an operator helps a person who has lost the phone; the person can stop it, and sees all of it', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const operator = await open()
  await signUpOperator(server, operator, ana)
  const person = await openWithoutPage()
  await signUpConfirmed(server, person, bor)
  await enableOtp(person)
  const { page } = operator
  const phone = (await open(PHONE)).page
  const note = 'Called back on the number of the personnel file'

  async function signIn() {
    await phone.goto('/login')
    await phone.getByLabel('Email or username').fill(bor.email)
    await phone.getByLabel('Password', { exact: true }).fill(bor.password)
    await phone.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function requestReset() {
    await page.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    await expect(dialog.getByText('This field is required.')).toBeVisible()
    await dialog.getByLabel('How you verified who is asking').fill(note)
    await dialog.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    await expect(page.getByText(`Requested by Ana Kovač. Checked: ${note}`)).toBeVisible()
  }

  await test.step('without the phone the person cannot pass the step of the code', async () => {
    await signIn()
    await expect(phone.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
  })

  await test.step('half an address finds the person; the check is noted, and the person is mailed', async () => {
    await page.goto('/admin/people')
    await page.getByLabel('Search people').fill(bor.email.slice(0, 6))
    await expect(page.getByRole('link', { name: 'Ana Kovač' })).toBeHidden()
    await page.getByRole('link', { name: 'Bor Horvat' }).click()
    await requestReset()
    await checkAccessibility(page, 'person with a waiting reset')
  })

  await test.step('the link of the mail stops it, without a sign-in', async () => {
    await phone.goto(await server.mailedLink(bor.email, '/keep-factors/'))
    await checkAccessibility(phone, 'stopping a reset')
    await phone.getByRole('button', { name: 'Stop it and keep everything' }).click()
    await expect(phone.getByRole('heading', { name: 'Nothing will be removed' })).toBeVisible()
    server.makeJobsDue('reset_factors')
    await page.reload()
    await expect(page.getByText(note)).toBeHidden()
    await expect(page.getByRole('button', { name: 'Remove second step and passkeys' })).toBeVisible()
  })

  await test.step('a removal that is not stopped: after 24 hours the password alone signs in', async () => {
    await requestReset()
    // Not before the person is told.
    await expect.poll(async () => dataOf(await operator.call(system.listMails, { state: 'waiting' }))).toEqual([])
    server.makeJobsDue('reset_factors')
    await server.mailed(bor.email, 'were removed')
    await page.reload()
    await expect(page.getByText(note)).toBeHidden()
    await signIn()
    await expect(phone).toHaveURL(/\/(home|security)/)
  })

  await test.step('the person reads it in their own activity', async () => {
    await phone.goto('/privacy/activity')
    for (const done of DONE) await expect(phone.getByRole('listitem').filter({ hasText: done }).first()).toBeVisible()
  })

  await test.step('the audit log has each step, with the note and who acted', async () => {
    await page.getByRole('link', { name: 'Audit log' }).first().click()
    const events = page.getByRole('listitem')
    const removed = events.filter({ hasText: 'Second step and passkeys removed' }).first()
    await expect(removed).toContainText('by the system')
    await expect(removed).toContainText(note)
    const stopped = events.filter({ hasText: 'stopped by the person' })
    await expect(stopped).toContainText('Bor Horvat')
    await expect(stopped).toContainText(/from (127\.0\.0\.1|::1)/)
    await expect(events.filter({ hasText: 'Removal of second step and passkeys requested' })).toHaveCount(2)
    await page.getByLabel('Event').selectOption('Two-step sign-in turned on')
    await expect(events.filter({ hasText: 'Two-step sign-in turned on' })).toHaveCount(2)
    await page.goBack()
    await page.getByRole('link', { name: 'Audit log of this person' }).click()
    await expect(page.getByText('Only events about Bor Horvat')).toBeVisible()
    await expect(events.filter({ hasText: 'Ana Kovač' }).first()).toBeVisible()
    await checkAccessibility(page, 'audit log of a person')
    await page.getByRole('button', { name: 'Show all events' }).click()
    await expect(events.filter({ hasText: 'Operator added' })).toBeVisible()
  })
})

test('a person who signs in by passkeys alone gets a link to a new one', async ({ server, open }) => {
  test.slow()
  const operator = await open()
  await signUpOperator(server, operator, ana)
  await virtualAuthenticator(operator.page)
  await addPasskey(operator.page)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  await virtualAuthenticator(person.page)
  await addPasskey(person.page)
  dataOf(await operator.call(policy.updatePolicy, { password_sign_in: false }))
  const { page } = operator

  await test.step('the operator reads about the link before and after', async () => {
    await page.goto('/admin/people')
    await page.getByRole('link', { name: 'Bor Horvat' }).click()
    await expect(page.getByRole('button', { name: 'Unlock sign-in' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send a passkey link' })).toBeHidden()
    await page.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('has a link to set up a new one')
    await checkAccessibility(page, 'removing passkeys where passwords are off')
    await dialog.getByLabel('How you verified who is asking').fill('Asked in person')
    await dialog.getByLabel('When').selectOption('Now')
    await dialog.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    await expect(page.getByText('A link to set up a new passkey was sent.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send a passkey link' })).toBeVisible()
  })

  await test.step('the person sets up a new passkey on the phone, and is signed in', async () => {
    const phone = (await open(PHONE)).page
    await virtualAuthenticator(phone)
    await phone.goto(await server.mailedLink(bor.email, '/new-passkey/'))
    await expect(phone.getByText(`Your account ${bor.email} has no passkey anymore.`)).toBeVisible()
    await checkAccessibility(phone, 'setting up a new passkey')
    const link = phone.url()
    await phone.getByRole('button', { name: 'Set up a passkey and sign in' }).click()
    await expect(phone).toHaveURL(/\/home$/)
    await phone.goto('/privacy/activity')
    await expect(phone.getByRole('listitem').filter({ hasText: 'Added a passkey' }).first()).toBeVisible()
    await phone.goto(link)
    await expect(phone.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
  })
})

/** Sentences of the activity. */
const DONE = [
  'An operator requested to remove two-step sign-in and passkeys',
  'Stopped the removal of two-step sign-in and passkeys',
  'An operator removed two-step sign-in and passkeys',
]

test('a person who is asked to accept terms that are removed meanwhile goes on', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const operator = await openWithoutPage()
  await signUpOperator(server, operator, ana)
  await signUpConfirmed(server, await openWithoutPage(), bor)
  const terms = { terms_url: 'https://palaca.example/terms', terms_version: '2026-11' }
  dataOf(await operator.call(policy.updatePolicy, terms))
  const { page } = await open(PHONE)
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(bor.email)
  await page.getByLabel('Password', { exact: true }).fill(bor.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const accept = page.getByRole('button', { name: 'Accept and continue' })
  await expect(accept).toBeVisible()
  dataOf(await operator.call(policy.updatePolicy, { terms_version: null }))
  await accept.click()
  await expect(page.getByText('There are no terms to accept anymore.')).toBeVisible()
  await page.reload()
  await checkAccessibility(page, 'terms that were removed')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/home/)
})
