import type { Page } from '@playwright/test'
import { adminUsers, clients, members, security } from '@vrata/contract'
import { jadrolet, people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { virtualAuthenticator } from '../authenticator.ts'
import { expect, test } from '../fixtures.ts'

const { ana, bor, cvetka } = people
const PAGE = '/security/passkeys'

test('reauthentication by password, passkey or code continues the interrupted call', async ({ server, open }) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  await virtualAuthenticator(page)
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  const nameHeading = page.getByRole('heading', { name: 'Name the passkey' })
  await page.goto(PAGE)

  // Reauthentication by password. The passkey is then created without a further question.
  server.ageSignIns()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await checkAccessibility(page, 'reauthentication')
  await dialog.getByLabel('Password', { exact: true }).fill('not-the-password-1')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Invalid password.')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await page.keyboard.press('Enter')
  await expect(nameHeading).toBeVisible()
  await page.keyboard.press('Escape')
  expect(dataOf(await call(security.listPasskeys))).toHaveLength(1)

  // Reauthentication by passkey: the same passkey is then removed.
  const authenticator = await enableOtp(visitor)
  await page.reload()
  server.ageSignIns()
  await removePasskey(page)
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await dialog.getByRole('button', { name: 'Use the passkey' }).click()
  await expect(page.getByText('No passkeys yet.')).toBeVisible()
  expect(dataOf(await call(security.listPasskeys))).toEqual([])

  // Reauthentication by code. The user can switch between the methods and return to an earlier one.
  await page.goto('/security/two-factor-authentication')
  server.ageSignIns()
  await page.getByRole('button', { name: 'Replace codes' }).click()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await dialog.getByRole('button', { name: 'Use a code' }).click()
  await dialog.getByRole('button', { name: 'Use your password' }).click()
  await dialog.getByRole('button', { name: 'Use a code' }).click()
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Code is incorrect.')).toBeVisible()
  await dialog.getByLabel('Code', { exact: true }).fill(authenticator.code())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(10)

  // Closing the dialog cancels the call and returns focus to the button.
  await page.goto(PAGE)
  server.ageSignIns()
  const button = page.getByRole('button', { name: 'Add a passkey' })
  await button.click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
  expect(dataOf(await call(security.listPasskeys))).toEqual([])
})

test('a person who has passkeys alone is asked for no password where the browser supports no passkeys', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const operator = await openWithoutPage()
  await signUpOperator(server, operator, ana)
  const { email, first_name, last_name } = bor
  dataOf(await operator.call(adminUsers.createUser, { email, first_name, last_name }))
  const { page } = await open()
  await virtualAuthenticator(page)
  await page.goto(await server.mailedLink(email, '/accept-account/'))
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL('/home')
  // Simulates a browser without passkeys, in which the person has signed in with the phone.
  await page.addInitScript('delete globalThis.PublicKeyCredential')
  await page.goto('/security')
  const setting = page.getByRole('switch', { name: 'Sign in with a QR code' })
  await setting.click()
  await expect(setting).not.toBeChecked()
  server.ageSignIns()
  await setting.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await expect(dialog).toContainText('You sign in with passkeys, which this browser doesn’t support.')
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await checkAccessibility(page, 'reauthentication without a way')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(setting).not.toBeChecked()
})

test('a page that has been left asks for no reauthentication on the next one', async ({ server, open }) => {
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await virtualAuthenticator(page)
  await page.goto(PAGE)
  server.ageSignIns()
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
  const options = `**/v1${security.passkeyOptions.path}`
  await page.route(options, async (route) => {
    await isLeft
    await route.continue()
  })
  const refused = page.waitForResponse(options)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('link', { name: 'Devices' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible()
  leave()
  expect((await refused).status()).toBe(403)
  // Longer than a dialog takes to appear.
  await page.waitForTimeout(1000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

async function removePasskey(page: Page) {
  await page.getByRole('button', { name: /^Remove: / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
}

test('handing over an app or an organization continues after the keyboard alone has reauthenticated', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  const { client_id } = dataOf(await visitor.call(clients.createClient, { name: 'Trajekt', type: 'spa' }))
  const { link } = dataOf(await visitor.call(members.inviteMember, { email: bor.email, permission: 'owner' }))
  const other = await openWithoutPage()
  await signUpConfirmed(server, other, bor)
  dataOf(await other.call(members.acceptInvitation, { token: tokenIn(link) }))

  const { page } = visitor
  const { keyboard } = page
  const apps = `/developers/${developer_id}/applications`
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  const password = dialog.getByLabel('Password', { exact: true })
  async function confirm() {
    await expect(password).toBeFocused()
    await keyboard.type(ana.password)
    await keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  }

  await test.step('a redirect URI of an app without a secret', async () => {
    await page.goto(`${apps}/${client_id}/development`)
    const uris = page.getByRole('region', { name: 'Redirect URIs' })
    const field = uris.getByRole('textbox', { name: 'Redirect URI' })
    server.ageSignIns()
    await field.fill(jadrolet.redirect_uri)
    await keyboard.press('Enter')
    // Canceled, the field keeps its text.
    await expect(password).toBeFocused()
    await keyboard.press('Escape')
    await expect(uris.getByText('Confirm with your password that it’s you.')).toBeVisible()
    await expect(field).toHaveValue(jadrolet.redirect_uri)
    await field.press('Enter')
    await confirm()
    await expect(uris.getByRole('listitem')).toHaveText([jadrolet.redirect_uri])
  })

  await test.step('the deletion of an app', async () => {
    await page.goto(`${apps}/${client_id}/details`)
    server.ageSignIns()
    await page.getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    await keyboard.type('Trajekt')
    await keyboard.press('Enter')
    await confirm()
    await expect(page).toHaveURL(apps)
    await expect(page.getByText('App deleted.')).toBeVisible()
  })

  const listed = page.getByRole('button', { name: /Bor Horvat/ })
  await test.step('the level of an owner', async () => {
    await page.goto(`/developers/${developer_id}/members`)
    server.ageSignIns()
    await listed.press('Enter')
    await page.getByRole('dialog').getByLabel('Level').selectOption('Analyst')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter')
    await confirm()
    await expect(listed).toContainText('Analyst')
    // And back.
    server.ageSignIns()
    await listed.press('Enter')
    await page.getByRole('dialog').getByLabel('Level').selectOption('Owner')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter')
    await confirm()
    await expect(listed).toContainText('Owner')
  })

  await test.step('the removal of an owner', async () => {
    server.ageSignIns()
    await listed.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from the organization' }).press('Enter')
    const ask = page.getByRole('dialog', { name: 'Remove this member?' })
    await ask.getByRole('button', { name: 'Remove' }).press('Enter')
    await confirm()
    await expect(listed).toHaveCount(0)
  })
})
