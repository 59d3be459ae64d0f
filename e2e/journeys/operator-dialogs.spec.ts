import { writeFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { account, adminUsers, groups, operators } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { enableOtp, registerApp, signUp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, bor } = people
const NO_ANSWER = 'The server can’t be reached.'

test('a token for registering apps is shown before the list is read again, and a lost answer leaves it in the list', async ({
  server,
  open,
}) => {
  const operator = await open({ allow: /ERR_FAILED/ })
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const { developer_id } = await registerApp(operator)
  await page.goto('/admin/system')
  await expect(page.getByText('No token is valid.')).toBeVisible()
  const dialog = page.getByRole('dialog')
  const create = async () => {
    await page.getByRole('button', { name: 'Create a token' }).click()
    await dialog.getByLabel('ID of the organization').fill(developer_id)
    await dialog.getByLabel('Email of the member').fill(ana.email)
    await dialog.getByRole('button', { name: 'Create a token' }).click()
  }

  await page.route('**/v1/admin/registration-tokens', async (route) => {
    if (route.request().method() === 'POST') await route.fetch()
    await (route.request().method() === 'POST' ? route.abort() : route.continue())
  })
  await create()
  await expect(dialog).toContainText(NO_ANSWER)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  const tokens = page.getByRole('list', { name: 'Tokens for registering apps' })
  await expect(tokens.getByRole('listitem')).toHaveCount(1)
  await page.unrouteAll()

  const closed = Promise.withResolvers<void>()
  await page.route('**/v1/admin/registration-tokens', async (route) => {
    if (route.request().method() === 'GET') await closed.promise
    await route.continue()
  })
  await create()
  await expect(dialog.getByText('It is shown only once.')).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(dialog.getByText('It is shown only once.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Create a token' })).toBeFocused()
  closed.resolve()
  await expect(tokens.getByRole('listitem')).toHaveCount(2)
  await expect(tokens).toContainText(studio.name)
})

test('a dialog closes when its change is stored, also where what it changed is not read again', async ({
  server,
  open,
}) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  const { id: user_id } = dataOf(await person.call(account.getAccount))
  dataOf(await operator.call(groups.createGroup, { key: 'staff', name: 'Staff' }))
  dataOf(await operator.call(groups.addGroupMember, { key: 'staff', user_id }))
  const dialog = page.getByRole('dialog')
  const answers = Promise.withResolvers<void>()
  // The socket would ask for it, too.
  await page.routeWebSocket('**', () => {})
  const silence = (address: string) =>
    page.route(address, async (route) => {
      if (route.request().method() === 'GET') await answers.promise
      await route.continue()
    })

  await page.goto('/admin/groups/staff')
  await silence('**/v1/admin/groups**')
  await page.getByRole('button', { name: 'Remove Bor Horvat from the group' }).click()
  await dialog.getByRole('button', { name: 'Remove from the group' }).click()
  await expect(page.getByText('The person was removed from the group.')).toBeVisible()
  await expect(dialog).toBeHidden()

  await page.goto('/security/two-factor-authentication')
  await silence('**/v1/account')
  await page.getByRole('button', { name: 'Replace codes' }).click()
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('list', { name: 'Backup codes' })).toBeVisible()
  answers.resolve()
})

test('a shorter time for the audit log is confirmed, because it deletes what is older', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  await page.goto('/admin/sign-in')
  const days = page.getByRole('button', { name: 'Keep the audit log' })
  await expect(days).toContainText('400 days')
  const change = page.getByRole('dialog', { name: 'Keep the audit log' })
  const save = async (text: string) => {
    await change.getByLabel('Keep the audit log').fill(text)
    await change.getByRole('button', { name: 'Save' }).click()
  }
  await days.click()
  await save('')
  await expect(days).toContainText('Forever')

  await days.click()
  await save('40')
  const sure = page.getByRole('dialog', { name: 'Delete what is older?' })
  await expect(sure).toContainText('older than 40 days')
  await sure.getByRole('button', { name: 'Cancel' }).click()
  await expect(change.getByLabel('Keep the audit log')).toHaveValue('40')
  await change.getByRole('button', { name: 'Save' }).click()
  await sure.getByRole('button', { name: 'Save and delete' }).click()
  await expect(days).toContainText('40 days')
})

test('the configuration that is applied is the one that was shown, also when the file is saved meanwhile', async ({
  server,
  open,
}, info) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  await page.goto('/admin/system')
  const file = info.outputPath('vrata.yaml')
  await writeFile(file, 'policy: { activity_days: 365 }\n')
  await page.locator('input[type=file]').setInputFiles(file)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('As long as the account → 365')
  // Like a change of the period alone: older entries are deleted.
  await expect(dialog).toContainText('Entries older than 365 days are permanently deleted')
  await writeFile(file, 'policy: { activity_days: 7, audit_days: 30 }\n')
  await dialog.getByRole('button', { name: 'Apply the document' }).click()
  await expect(page.getByText('The document was applied.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign-in' }).first().click()
  await expect(page.getByRole('button', { name: 'Keep activity' })).toContainText('365 days')
})

test('an app that cannot be opened without a network says so', async ({ server, open }) => {
  const operator = await open({ allow: /ERR_INTERNET_DISCONNECTED/ })
  const { page, context } = operator
  await signUpOperator(server, operator, ana)
  await registerApp(operator)
  // Simulates a page that has just reloaded for a new release, which it does when the server answers again.
  await page.addInitScript('sessionStorage.reloaded = Date.now()')
  await page.goto('/admin/apps')
  const app = page.getByRole('button', { name: 'Jadrolet' })
  await expect(app).toBeVisible()
  await context.setOffline(true)
  await app.click()
  await expect(page.getByText(NO_ANSWER).first()).toBeVisible()
  await context.setOffline(false)
  await app.click()
  await expect(page.getByRole('dialog', { name: 'Change Jadrolet' })).toBeVisible()
})

test('a filter that is chosen right after a search keeps it, and is kept', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  await page.goto('/admin/people')
  await page.getByLabel('Search people').fill('ana')
  await page.getByLabel('State').selectOption('Active')
  await expect(page).toHaveURL(/[?&]query=ana/)
  await expect(page).toHaveURL(/[?&]status=active/)
  await expect(page.getByLabel('State')).toHaveValue('active')
})

test('long names of groups stay within the dialog that adds a person', async ({ server, open }) => {
  const operator = await open(PHONE)
  const { page } = operator
  await signUpOperator(server, operator, ana)
  dataOf(await operator.call(groups.createGroup, { key: 'long', name: 'Maksimilijan'.repeat(5) }))
  await page.goto('/admin/people')
  await page.getByRole('button', { name: 'Add a person' }).click()
  await expect(page.getByLabel('Maksimilijan')).toBeVisible()
  const [content = 0, shown = 0] = await page
    .getByRole('dialog')
    .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
  expect(content).toBeLessThanOrEqual(shown)
})

test('labels of rows are not broken letter by letter with text of twice the size', async ({ server, open }) => {
  const operator = await open(PHONE)
  const { page } = operator
  await signUpOperator(server, operator, ana)
  await page.goto('/admin/overview')
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  for (const text of ['Other background jobs', 'Wrong password, code or passkey']) {
    const { width } = (await page.getByText(text).first().boundingBox()) ?? { width: 0 }
    expect(width, text).toBeGreaterThan(150)
  }
  const endOf = async (element: Locator) => {
    const { x, width } = (await element.boundingBox()) ?? { x: 0, width: 0 }
    return x + width
  }
  expect(await endOf(page.getByRole('button', { name: '90 days' }))).toBeLessThan(PHONE.viewport.width)

  const { developer_id } = await registerApp(operator)
  await page.goto(`/developers/${developer_id}/applications`)
  const app = page.getByRole('link', { name: /Jadrolet/ })
  await expect(app).toBeVisible()
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  expect(await endOf(app.getByText('Enabled'))).toBeLessThan(await endOf(app))
})

test('a page follows when a change is refused because of what another operator has done', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  await enableOtp(person)
  const { id } = dataOf(await person.call(account.getAccount))
  const dialog = page.getByRole('dialog')

  await test.step('the operator who has requested the removal of the second step', async () => {
    await page.goto(`/admin/people/${id}`)
    await page.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    dataOf(await operator.call(adminUsers.resetFactors, { id, reason: 'Called the known number.' }))
    await dialog.getByLabel('How you verified who is asking').fill('They came to the office.')
    await dialog.getByRole('button', { name: 'Remove second step and passkeys' }).click()
    await expect(dialog).toContainText('A removal is waiting already.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Called the known number.')).toBeVisible()
  })

  await test.step('the operator who has deleted the group', async () => {
    dataOf(await operator.call(groups.createGroup, { key: 'staff', name: 'Staff' }))
    await page.goto('/admin/groups/staff')
    await page.getByRole('button', { name: 'Add a person' }).click()
    dataOf(await operator.call(groups.deleteGroup, { key: 'staff' }))
    await dialog.getByLabel('Email, username or ID').fill(bor.email)
    await dialog.getByRole('button', { name: 'Add a person' }).click()
    await expect(dialog).toContainText('This doesn’t exist or has been removed.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { name: 'This group does not exist' })).toBeVisible()
  })
})

test('an account with an unconfirmed address gets no group, and the dialog says why', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  await signUp(await open(), bor)
  dataOf(await operator.call(groups.createGroup, { key: 'staff', name: 'Staff' }))
  await page.goto('/admin/groups/staff')
  await page.getByRole('button', { name: 'Add a person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email, username or ID').fill(bor.email)
  await dialog.getByRole('button', { name: 'Add a person' }).click()
  await expect(dialog).toContainText('This account’s email isn’t confirmed')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('No one is in this group yet.')).toBeVisible()
})

test('an administrator who gives up the role leaves the pages of operators', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  await enableOtp(person)
  dataOf(await operator.call(operators.addOperator, { email: bor.email, role: 'admin' }))
  // The socket would lead away, too.
  await page.routeWebSocket('**', () => {})
  await page.goto('/admin/operators')
  await page.getByRole('button', { name: /^Ana Kovač/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Role').selectOption('No role anymore')
  await dialog.getByRole('button', { name: 'Change the role' }).click()
  await expect(page).toHaveURL(/\/home$/)
})
