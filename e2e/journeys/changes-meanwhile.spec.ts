import { adminClients, clientAccess, clients, members, scopes } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { ana, bor } = people

test('a list that is saved in a dialog keeps what others have changed of it meanwhile', async ({ server, open }) => {
  test.slow()
  const visitor = await open()
  const { page } = visitor
  await signUpOperator(server, visitor, ana)
  const { client_id: id, developer_id } = await registerApp(visitor)
  const app = `/developers/${developer_id}/applications/${id}`
  const dialog = page.getByRole('dialog')

  await test.step('the scopes of an app', async () => {
    const opened = socketOpened(page)
    await page.goto(`${app}/scopes`)
    await opened
    await page.getByRole('button', { name: 'Choose scopes' }).click()
    await dialog.getByRole('checkbox', { name: 'phone number' }).check()
    dataOf(await visitor.call(clients.updateClientInfo, { id, scopes: ['openid', 'profile'] }))
    await expect(page.locator('[aria-labelledby=asked-scopes] li')).toHaveCount(2)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect(dataOf(await visitor.call(clients.getClientInfo, { id })).scopes).toEqual(['openid', 'profile', 'phone'])
  })

  await test.step('the texts of a scope', async () => {
    const scope = { id, key: 'notes.read', title: { 'en-US': 'Read your notes' } }
    dataOf(await visitor.call(scopes.defineScope, scope))
    const opened = socketOpened(page)
    await page.goto(`${app}/scopes`)
    await opened
    const own = page.getByRole('region', { name: 'Scopes this app defines' })
    await own.getByRole('button', { name: 'Read your notes' }).click()
    dataOf(await visitor.call(scopes.defineScope, { ...scope, sensitive: true }))
    await expect(page.locator('[aria-labelledby=own-scopes]').getByText('Sensitive')).toBeVisible()
    await dialog.getByRole('group', { name: 'Croatian' }).getByLabel('Title').fill('Čitanje bilješki')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect(dataOf(await visitor.call(scopes.listScopes, { id }))).toMatchObject([
      { sensitive: true, title: { 'en-US': 'Read your notes', 'hr-HR': 'Čitanje bilješki' } },
    ])
    await own.getByRole('button', { name: 'Define a scope' }).click()
    await dialog.getByLabel('Key').fill('notes.read')
    await dialog.getByRole('group', { name: 'English' }).getByLabel('Title').fill('Another one')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('This is already taken.')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  const allow = async (...people: string[]) =>
    dataOf(await visitor.call(clientAccess.setAccess, { id, mode: 'people', groups: [], people }))
  const allowed = async () => dataOf(await visitor.call(clientAccess.getAccess, { id })).people
  const before = ['bor@example.com', 'cvetka@example.com']

  await test.step('the people who may use it, by its organization', async () => {
    await allow(...before)
    const opened = socketOpened(page)
    await page.goto(`${app}/details`)
    await opened
    await page.getByRole('button', { name: 'Change access' }).click()
    await dialog.getByLabel('Email addresses').fill([...before, 'drago@example.com'].join('\n'))
    await allow('bor@example.com')
    await expect(page.locator('[aria-labelledby=access]')).not.toContainText('cvetka@example.com')
    await dialog.getByRole('button', { name: 'Change access' }).click()
    await expect(dialog).toBeHidden()
    expect(await allowed()).toEqual(['bor@example.com', 'drago@example.com'])
  })

  await test.step('the people who may use it, by an operator', async () => {
    await allow(...before)
    await page.goto('/admin/apps')
    await page.getByRole('button', { name: 'Jadrolet' }).click()
    await dialog.getByLabel('Email addresses').fill([...before, 'drago@example.com'].join('\n'))
    await allow('bor@example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect(dataOf(await visitor.call(adminClients.getAdminClient, { id })).access.people).toEqual([
      'bor@example.com',
      'drago@example.com',
    ])
  })
})

test('two settings whose answers are lost are shown as they are saved', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  const { page } = visitor
  await signUpConfirmed(server, visitor, ana)
  const { client_id: id, developer_id } = await registerApp(visitor)
  // The socket would tell of the second change.
  await page.routeWebSocket('**', () => {})
  await page.goto(`/developers/${developer_id}/applications/${id}/development`)
  const pressed = Promise.withResolvers<void>()
  await page.route('**/advanced', async (route) => {
    const { method, body } = { method: route.request().method(), body: route.request().postData() ?? '' }
    if (method === 'GET') return route.continue()
    await pressed.promise
    if (body.includes('dpop')) await route.fetch()
    await route.abort()
  })
  const popup = page.getByRole('switch', { name: 'Allow sign-in in a popup' })
  const dpop = page.getByRole('switch', { name: 'Bind tokens to a key (DPoP)' })
  const wasAllowed = await popup.isChecked()
  await popup.click()
  await dpop.click()
  // Before the second answer is lost, the page shows what was pressed.
  const lost = page.waitForEvent('requestfailed', (request) => request.postData()?.includes('dpop') ?? false)
  pressed.resolve()
  await lost
  await expect(page.getByText('The server can’t be reached.').first()).toBeVisible()
  await expect(dpop).toBeChecked()
  await expect(popup).toBeChecked({ checked: wasAllowed })
})

test('the dialog of a new app stays open while it sends, and shows the secret', async ({ server, open }) => {
  const visitor = await open()
  const { page } = visitor
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  await page.goto(`/developers/${developer_id}/applications`)
  const pressed = Promise.withResolvers<void>()
  await page.route('**/v1/client', async (route) => {
    if (route.request().method() === 'POST') await pressed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Register an app' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Vodnik')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/client'))
  await dialog.getByRole('button', { name: 'Register' }).click()
  await sent
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByLabel('Name')).toHaveValue('Vodnik')
  pressed.resolve()
  await expect(page.getByText('Copy the secret now')).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(page.getByText('Copy the secret now')).toBeVisible()
  await dialog.getByRole('button', { name: 'Open the app' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Vodnik' })).toBeVisible()
})

test('leaving an organization leads home, also after Escape while the dialog sends', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const visitor = await open()
  const { page } = visitor
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  const other = await openWithoutPage()
  await signUpConfirmed(server, other, bor)
  const { link } = dataOf(await visitor.call(members.inviteMember, { email: bor.email, permission: 'owner' }))
  dataOf(await other.call(members.acceptInvitation, { token: tokenIn(link) }))
  await page.goto(`/developers/${developer_id}/members`)
  const pressed = Promise.withResolvers<void>()
  await page.route('**/v1/developer/leave', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Leave the organization' }).click()
  const sent = page.waitForRequest('**/v1/developer/leave')
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await sent
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeVisible()
  pressed.resolve()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.getByText('You have left the organization.')).toBeVisible()
})

test('a test sign-in on a page that is not encrypted says that browsers do not allow it', async ({ server, open }) => {
  const visitor = await open()
  const { page } = visitor
  await signUpConfirmed(server, visitor, ana)
  const { client_id, developer_id } = await registerApp(visitor)
  // Simulates a browser on a page without https.
  await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
  await page.goto(`/developers/${developer_id}/applications/${client_id}/development`)
  await page.getByRole('button', { name: 'Try this sign-in' }).click()
  await expect(page.getByText('This page is not encrypted')).toBeVisible()
})
