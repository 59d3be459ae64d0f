import { adminClients, clientAccess, clients, scopes } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { ana } = people

test('the secret of a new app is shown also when its dialog was closed before the answer', async ({ server, open }) => {
  const visitor = await open()
  const { page } = visitor
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  await page.goto(`/developers/${developer_id}/applications`)
  const closed = Promise.withResolvers<void>()
  await page.route('**/v1/client', async (route) => {
    if (route.request().method() === 'POST') await closed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Register an app' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Vodnik')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/client'))
  await dialog.getByRole('button', { name: 'Register' }).click()
  await sent
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  closed.resolve()
  await expect(page.getByText('Copy the secret now')).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(page.getByText('Copy the secret now')).toBeVisible()
  await dialog.getByRole('button', { name: 'Open the app' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Vodnik' })).toBeVisible()
})
