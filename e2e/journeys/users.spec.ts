import { auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana, cvetka } = people

test('§5 a developer finds somebody, blocks them, who is told so on a clear page, and lets them in again', async ({
  house,
  jadrolet,
  open,
}) => {
  test.slow()
  const maker = await open()
  await settle(house, maker, ana)
  const client = await registerApp(maker, jadrolet.redirect_uri)
  await jadrolet.start(client)
  const { page } = maker
  const users = `/developers/${client.developer_id}/user-management`
  await page.goto(users)
  await expect(page.getByText('As soon as somebody signs in')).toBeVisible()
  await inspect(page, 'no users')

  const visitor = await open()
  await settle(house, visitor, cvetka)
  const site = await visitor.context.newPage()
  const signIn = async () => {
    await site.goto(jadrolet.url)
    await site.getByRole('button', { name: 'Sign in with Vrata' }).click()
  }
  await signIn()
  await site.getByRole('button', { name: 'Allow' }).click()
  await expect(site.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.reload()
  await expect(page.getByText('Cvetka Zajc')).toBeVisible()
  await page.getByLabel('Search').fill('nobody')
  await expect(page.getByRole('heading', { name: 'Nobody found' })).toBeVisible()
  await page.getByLabel('Search').fill('zajc cvet')
  await expect(page.getByText(cvetka.email)).toBeVisible()
  await page.getByLabel('App', { exact: true }).selectOption({ label: 'Jadrolet' })
  await expect(page).toHaveURL(/query=.*client_id=/)
  await expect(page.getByText(cvetka.email)).toBeVisible()
  await inspect(page, 'users')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^users-[\d-]+\.csv$/)

  await page.getByRole('button', { name: 'Block Cvetka Zajc', exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText('signed out of all apps of your organization')
  await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click()
  await expect(page.getByText('Blocked').first()).toBeVisible()
  await inspect(page, 'a blocked user')

  // Another browser: in the first one, the site still greets from its own memory.
  const again = await open()
  done(await again.call(auth.login, { username: cvetka.email, password: cvetka.password }))
  const elsewhere = again.page
  const signInAgain = async () => {
    await elsewhere.goto(jadrolet.url)
    await elsewhere.getByRole('button', { name: 'Sign in with Vrata' }).click()
  }
  await signInAgain()
  await expect(elsewhere.getByRole('heading', { name: 'This app does not let you in' })).toBeVisible()
  await inspect(elsewhere, 'blocked by the organization')
  await expect(elsewhere.getByRole('link', { name: 'Use another account' })).toBeVisible()

  await page.getByRole('button', { name: 'Unblock Cvetka Zajc' }).click()
  await expect(page.getByRole('button', { name: 'Block Cvetka Zajc', exact: true })).toBeVisible()
  await signInAgain()
  await expect(elsewhere.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  // Sign-ins are counted where they happen.
  await page.goto(`/developers/${client.developer_id}/applications/${client.client_id}/details`)
  await page.getByText('Show as a table').click()
  // The first one, and the one after she was let in again.
  await expect(page.getByRole('row').nth(1).getByRole('cell')).toHaveText(['2', '1'])
  await inspect(page, 'statistics of an app')
})

test('§7 an app with a redirect URI that is not registered: the doctor says so, one press adds it, and it works', async ({
  house,
  jadrolet,
  open,
}) => {
  test.slow()
  const maker = await open()
  await settle(house, maker, ana)
  const client = await registerApp(maker, 'http://localhost:4999/elsewhere')
  await jadrolet.start(client)
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const site = await visitor.context.newPage()
  const signIn = async () => {
    await site.goto(jadrolet.url)
    await site.getByRole('button', { name: 'Sign in with Vrata' }).click()
  }
  await signIn()
  await expect(site.getByRole('heading', { name: 'This app would lead you to the wrong place' })).toBeVisible()

  const { page } = maker
  await page.goto(`/developers/${client.developer_id}/applications/${client.client_id}/development`)
  await expect(page.getByRole('heading', { name: 'This redirect URI is not registered' })).toBeVisible()
  await inspect(page, 'refused requests')
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByRole('heading', { name: 'This redirect URI is not registered' })).toBeHidden()
  await expect(page.getByText(jadrolet.redirect_uri)).toBeVisible()

  await signIn()
  await site.getByRole('button', { name: 'Allow' }).click()
  await expect(site.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
})
