import { account, adminClients, adminOrganizations, adminUsers, groups, policy, security } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, bor } = people

test('an administrator takes a mistyped address of a person back', async ({ server, open }) => {
  const operator = await open(PHONE)
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  const { id } = dataOf(await person.call(account.getAccount))
  const mistyped = 'bor.horvat.at.a.long.name@mistyped-domain.example'

  await page.goto(`/admin/people/${id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change name or address' }).click()
  await dialog.getByLabel('Email').fill(mistyped)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('New address, not confirmed yet')).toBeVisible()
  await checkAccessibility(page, 'person with a new address')
  const token = tokenIn(await server.mailedLink(mistyped, '/confirm-email/'))

  await page.getByRole('button', { name: 'Keep the present address' }).click()
  await expect(dialog).toContainText(`the address stays ${bor.email}`)
  await dialog.getByRole('button', { name: 'Keep the present address' }).click()
  await expect(page.getByText('New address, not confirmed yet')).toBeHidden()
  expect(await person.call(security.verifyEmail, { token })).toMatchObject({ problem: { code: 'invalid_token' } })
  expect(dataOf(await person.call(account.getAccount))).toMatchObject({ email: bor.email, pending_email: null })
})

test('the audit log names all changed fields in the language of the page, and groups by their keys', async ({
  server,
  open,
}) => {
  const operator = await open({ locale: 'sl-SI' })
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  const { id } = dataOf(await person.call(account.getAccount))
  dataOf(await operator.call(adminUsers.updateUser, { id, first_name: 'Boris', email: 'boris@example.com' }))
  // A role of operators has the same key.
  dataOf(await operator.call(groups.createGroup, { key: 'support', name: 'Podpora' }))
  dataOf(await operator.call(groups.addGroupMember, { key: 'support', user_id: id }))

  // An empty period or quota is no "none".
  const { developer_id, client_id } = await registerApp(person)
  for (const clients of [7, null])
    dataOf(await operator.call(adminOrganizations.updateAdminOrganization, { id: developer_id, limits: { clients } }))
  // The log has the ids of people, because it outlives their accounts.
  const access = { mode: 'people' as const, groups: [], people: [bor.email, 'nobody@example.org'] }
  dataOf(await operator.call(adminClients.updateAdminClient, { id: client_id, access }))
  dataOf(await operator.call(policy.updatePolicy, { audit_days: null }))

  await page.goto(`/admin/audit?subject=${id}`)
  const events = page.getByRole('list', { name: 'Revizijska sled' }).getByRole('listitem')
  await expect(events.filter({ hasText: 'Spremenjeno ime ali naslov' })).toContainText(
    'Spremenjeno: Ime, E-\u2060naslov',
  )
  await expect(events.filter({ hasText: 'Oseba dodana v skupino' })).toContainText('Skupina: support')
  await page.getByRole('button', { name: 'Pokaži vse dogodke' }).click()
  await expect(events.first()).toContainText('Hramba revizijske sledi: 400 → Trajno')
  await expect(events.nth(1)).toContainText('Osebe: brez → Boris Horvat, *@example.org')
  await expect(events.nth(2)).toContainText('Največje število aplikacij: 7 → omejitev namestitve')
})

test('the page of a person says what keeps the account from being deleted', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  const { id } = dataOf(await person.call(account.getAccount))
  dataOf(await operator.call(adminUsers.deleteUser, { id }))
  await page.goto(`/admin/people/${id}`)
  await expect(page.getByText('unless the person signs in before.')).toBeVisible()
  // Neither of these can sign in.
  dataOf(await operator.call(adminUsers.disableUser, { id, reason: 'Left the company' }))
  const invited = dataOf(await operator.call(adminUsers.createUser, { email: 'mistyped@example.com' }))
  dataOf(await operator.call(adminUsers.deleteUser, { id: invited.id }))
  for (const one of [id, invited.id]) {
    await page.goto(`/admin/people/${one}`)
    await expect(page.getByText('unless an administrator restores it.')).toBeVisible()
  }
})

test('the page of an organization says when it does not list all of its apps', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  await registerApp(operator)
  await page.goto('/admin/organizations')
  // Simulates 104 more apps.
  await page.route('**/v1/admin/organizations/*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, data: { ...data, clients: 105 } } })
  })
  await page.getByRole('link', { name: studio.name }).click()
  await expect(page.getByText('The first 1 of 105 are listed.')).toBeVisible()
  await expect(page.getByText(/ of 1 are listed/)).toBeHidden()
})
