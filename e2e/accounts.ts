import { expect, type Page } from '@playwright/test'
import { clients, developers, operators, security, signIn } from '@vrata/contract'
import { jadrolet, type PersonData, studio } from '../server/test/people.ts'
import { dataOf } from '../testing/api-client.ts'
import { tokenIn } from '../testing/mail.ts'
import { authenticatorApp } from './authenticator.ts'
import type { Caller } from './fixtures.ts'
import type { TestServer } from './server/test-server.ts'

/** An id that no person, organization or app has. */
export const UNKNOWN_ID = '0190f1c4-0000-7000-8000-000000000000'

/** Fields that a user enters to sign up. */
type NewPerson = Record<'email' | 'password' | 'first_name' | 'last_name', string> & { language?: string }

/** Signs a user up in this browser, in its language, without confirming the email. */
export async function signUp({ call, locale }: Caller, person: NewPerson) {
  const { email, password, first_name, last_name } = person
  // After a sign-in the pages use the language of the account.
  const language = locale as PersonData['language']
  return dataOf(await call(signIn.register, { email, password, first_name, last_name, language }))
}

/** Signs a user up in this browser and confirms the email. */
export async function signUpConfirmed(server: TestServer, visitor: Caller, person: NewPerson) {
  await signUp(visitor, person)
  const token = tokenIn(await server.mailedLink(person.email, '/confirm-email/'))
  dataOf(await visitor.call(security.verifyEmail, { token }))
}

/** Turns two-factor authentication on; returns the authenticator app with its codes. */
export async function enableOtp({ call }: Caller) {
  const { secret } = dataOf(await call(security.enableOtp))
  const authenticator = authenticatorApp(secret)
  dataOf(await call(security.confirmOtp, { otp_token: authenticator.code() }))
  return authenticator
}

/** Signs a user up in this browser, with a second factor, and makes them the first operator of the installation. */
export async function signUpOperator(server: TestServer, visitor: Caller, person: NewPerson) {
  await signUpConfirmed(server, visitor, person)
  await enableOtp(visitor)
  dataOf(await visitor.call(operators.completeSetup, { token: tokenIn(await server.setupLink()) }))
}

/** Adds a passkey with the page; needs a virtual authenticator. */
export async function addPasskey(page: Page): Promise<void> {
  await page.goto('/security/passkeys')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Laptop')).toBeVisible()
}

/** Creates an organization with an app for a user with a confirmed email. */
export async function registerApp({ call }: Caller, redirect_uri?: string) {
  const { developer_id } = dataOf(await call(developers.createDeveloper, { name: studio.name }))
  const client = dataOf(await call(clients.createClient, { name: jadrolet.name }))
  if (redirect_uri) dataOf(await call(clients.addRedirectUri, { id: client.client_id, redirect_uri }))
  return { ...client, developer_id }
}
