import { signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { ana, cvetka } = people

test('a developer finds, blocks and unblocks a user, who sees an explanation while blocked', async ({
  server,
  jadrolet,
  open,
}) => {
  test.slow()
  const developer = await open()
  await signUpConfirmed(server, developer, ana)
  const client = await registerApp(developer, jadrolet.redirect_uri)
  await jadrolet.start(client)
  const { page } = developer
  const users = `/developers/${client.developer_id}/user-management`
  await page.goto(users)
  await expect(page.getByText('People who sign in')).toBeVisible()
  await checkAccessibility(page, 'no users')

  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const appPage = await visitor.context.newPage()
  const signInToApp = async () => {
    await appPage.goto(jadrolet.url)
    await appPage.getByRole('button', { name: 'Sign in with Vrata' }).click()
  }
  await signInToApp()
  await appPage.getByRole('button', { name: 'Allow' }).click()
  await expect(appPage.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.reload()
  await expect(page.getByText('Cvetka Zajc')).toBeVisible()
  await expect(page.getByText('1 person', { exact: true })).toBeVisible()
  await page.getByLabel('Sort by').focus()
  await page.getByLabel('Sort by').selectOption({ label: 'Name' })
  await expect(page).toHaveURL(/sort=name/)
  await expect(page.getByLabel('Sort by')).toBeFocused()
  await page.getByLabel('State').selectOption({ label: 'Blocked' })
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await page.getByLabel('State').selectOption({ label: 'All' })
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody')
  await expect(page.getByRole('heading', { name: 'No users found' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search' }).fill('zajc cvet')
  await expect(page.getByRole('cell', { name: cvetka.email, exact: true })).toBeVisible()
  await page.getByLabel('App', { exact: true }).selectOption({ label: 'Jadrolet' })
  await expect(page).toHaveURL(/query=.*client_id=/)
  await expect(page.getByRole('cell', { name: cvetka.email, exact: true })).toBeVisible()
  await checkAccessibility(page, 'users')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^users-[\d-]+\.csv$/)

  // The row opens the details, which have an address of their own.
  await page.getByRole('button', { name: 'Cvetka Zajc' }).click()
  await expect(page).toHaveURL(/user=/)
  const details = page.getByRole('dialog', { name: 'Cvetka Zajc' })
  await expect(details.getByRole('listitem').filter({ hasText: 'Jadrolet' }).first()).toContainText(
    'See your email address',
  )
  await expect(details.getByText('Last sign-ins')).toBeVisible()
  await checkAccessibility(page, 'details of a user')
  const exported = page.waitForEvent('download')
  await details.getByRole('button', { name: 'Export' }).click()
  expect((await exported).suggestedFilename()).toMatch(/^user-.*\.json$/)
  await details.getByRole('button', { name: 'Block Cvetka Zajc', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Block this person?' })
  await expect(question).toContainText('signed out of all apps of your organization')
  await question.getByRole('button', { name: 'Block' }).click()
  await expect(details).toBeHidden()
  await expect(page.getByRole('table').getByText('Blocked')).toBeVisible()
  await checkAccessibility(page, 'a blocked user')

  // In the first browser the app still has its own session, so another one is used.
  const otherBrowser = await open()
  dataOf(await otherBrowser.call(signIn.login, { username: cvetka.email, password: cvetka.password }))
  const otherPage = otherBrowser.page
  const signInAgain = async () => {
    await otherPage.goto(jadrolet.url)
    await otherPage.getByRole('button', { name: 'Sign in with Vrata' }).click()
  }
  await signInAgain()
  await expect(otherPage.getByRole('heading', { name: 'You can’t use this app' })).toBeVisible()
  await checkAccessibility(otherPage, 'blocked by the organization')
  await expect(otherPage.getByRole('button', { name: 'Use another account' })).toBeVisible()

  await page.getByRole('button', { name: 'Cvetka Zajc' }).click()
  await page.getByRole('button', { name: 'Unblock Cvetka Zajc' }).click()
  await expect(page.getByRole('table').getByText('Blocked')).toBeHidden()
  await signInAgain()
  await expect(otherPage.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.goto(`/developers/${client.developer_id}/applications/${client.client_id}/details`)
  await page.getByText('Show as table').click()
  // Two sign-ins of one user: before the block and after it.
  await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveText(['2', '1'])
  await checkAccessibility(page, 'statistics of an app')
})

test('client diagnostics report an unregistered redirect URI, and one click registers it', async ({
  server,
  jadrolet,
  open,
}) => {
  test.slow()
  const developer = await open()
  await signUpConfirmed(server, developer, ana)
  const client = await registerApp(developer, 'http://localhost:4999/elsewhere')
  await jadrolet.start(client)
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const appPage = await visitor.context.newPage()
  const signInToApp = async () => {
    await appPage.goto(jadrolet.url)
    await appPage.getByRole('button', { name: 'Sign in with Vrata' }).click()
  }
  await signInToApp()
  await expect(
    appPage.getByRole('heading', { name: 'This app tried to send you to an unregistered address' }),
  ).toBeVisible()

  const { page } = developer
  await page.goto(`/developers/${client.developer_id}/applications/${client.client_id}/development`)
  await expect(page.getByRole('heading', { name: 'This redirect URI is not registered' })).toBeVisible()
  await checkAccessibility(page, 'client diagnostics')
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByRole('heading', { name: 'This redirect URI is not registered' })).toBeHidden()
  await expect(page.getByText(jadrolet.redirect_uri)).toBeVisible()

  await signInToApp()
  await appPage.getByRole('button', { name: 'Allow' }).click()
  await expect(appPage.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
})
