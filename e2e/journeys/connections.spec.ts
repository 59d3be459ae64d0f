import { clients, connections } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { ana, cvetka } = people

test('removes a scope and then all access of a connected app, which has to ask for consent again', async ({
  server,
  jadrolet,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const developer = await openWithoutPage()
  await signUpConfirmed(server, developer, ana)
  const client = await registerApp(developer, jadrolet.redirect_uri)
  await jadrolet.start(client)
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor

  await page.goto('/applications')
  await expect(page.getByText('Apps that use your Vrata account will be listed here')).toBeVisible()
  await checkAccessibility(page, 'no connected apps')

  const appPage = await visitor.context.newPage()
  await appPage.goto(jadrolet.url)
  await appPage.getByRole('button', { name: 'Sign in with Vrata' }).click()
  await appPage.getByRole('button', { name: 'Allow' }).click()
  await expect(appPage.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()

  await page.reload()
  await checkAccessibility(page, 'connected apps')
  await page.getByRole('link', { name: /^Jadrolet/ }).click()
  await expect(page.getByRole('heading', { name: 'Jadrolet' })).toBeFocused()
  await checkAccessibility(page, 'one connected app')

  // A scope is removed, restored by Undo, and removed again.
  const removeScope = page.getByRole('button', { name: 'Remove: See your email address' })
  await removeScope.click()
  await expect(removeScope).toBeHidden()
  await expect(page.locator('main :is(h1, h2):focus')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(removeScope).toBeVisible()
  await removeScope.click()
  await expect(removeScope).toBeHidden()

  dataOf(await developer.call(clients.updateClientInfo, { id: client.client_id, enabled: false }))
  await page.reload()
  await expect(page.getByText('The developer has disabled this app.')).toBeVisible()
  await checkAccessibility(page, 'a disabled connected app')
  dataOf(await developer.call(clients.updateClientInfo, { id: client.client_id, enabled: true }))

  // The way back to the list takes the question along.
  await page.getByRole('button', { name: 'Remove access' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/applications')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goForward()

  await page.getByRole('button', { name: 'Remove access' }).click()
  await expect(page.getByRole('dialog')).toContainText('This can’t be undone')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
  await expect(page).toHaveURL('/applications')
  await expect(page.getByText('will be listed here')).toBeVisible()

  // The app keeps its own session, so the next authorization request is started explicitly.
  await appPage.evaluate(() => {
    const form = document.querySelector('form')
    form?.setAttribute('action', '/sign-in')
    form?.requestSubmit()
  })
  await expect(appPage.getByRole('heading', { name: 'Jadrolet wants to use your Vrata account' })).toBeVisible()
})

test('undo of a removed permission does not connect an app again that was removed meanwhile', async ({
  server,
  open,
}) => {
  const developer = await open()
  await signUpConfirmed(server, developer, ana)
  const { client_id } = await registerApp(developer)
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page, call } = visitor
  dataOf(await call(connections.submitConsent, { client: client_id, scopes: ['openid', 'profile', 'email'] }))
  await page.goto('/applications')
  await page.getByRole('link', { name: /^Jadrolet/ }).click()
  await page.getByRole('button', { name: 'Remove: See your email address' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  // The message stays while the pointer is over it.
  await undo.hover()
  await page.getByRole('button', { name: 'Remove access' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).press('Enter')
  await expect(page.getByText('will be listed here')).toBeVisible()
  await undo.click()
  await expect(page.getByText('This app is not connected')).toBeVisible()
  expect(dataOf(await call(connections.listConnections))).toEqual([])
})
