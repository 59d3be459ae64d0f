import { writeFile } from 'node:fs/promises'
import { account, adminUsers, groups, operators } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { enableOtp, registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

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
