import { clients, scopes } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, bor } = people

test.describe('app scopes', () => {
  test('a scope is defined, requested by another app, allowed by a user, and deleted', async ({
    server,
    jadrolet,
    open,
  }) => {
    const developer = await open()
    const { page } = developer
    await signUpConfirmed(server, developer, ana)
    const reader = await registerApp(developer, jadrolet.redirect_uri)
    const notes = dataOf(await developer.call(clients.createClient, { name: 'Zapiski' }))
    const scopesOf = (id: string) => `/developers/${reader.developer_id}/applications/${id}/scopes`

    await page.goto(scopesOf(notes.client_id))
    await page.getByRole('button', { name: 'Define a scope' }).click()
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Key').fill('notes')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect(editor.getByText('Enter at least two lowercase words with a period between them')).toBeVisible()
    await editor.getByLabel('Key').fill('notes.entries.read')
    await editor.getByRole('group', { name: 'English' }).getByLabel('Title').fill('Read your notes')
    const croatian = editor.getByRole('group', { name: 'Croatian' })
    await croatian.getByLabel('Title').fill('Čitanje vaših bilješki')
    await croatian.getByLabel('Description').fill('Svih, i onih obrisanih.')
    await editor.getByLabel('Sensitive').check()
    await editor.getByRole('button', { name: 'Save' }).click()
    const ownScopes = page.getByRole('region', { name: 'Scopes this app defines' })
    await expect(ownScopes.getByText('notes.entries.read')).toBeVisible()
    await expect(ownScopes.getByText('Missing: Slovenian')).toBeVisible()

    await page.goto(scopesOf(reader.client_id))
    await page.getByRole('button', { name: 'Choose scopes' }).click()
    const explorer = page.getByRole('dialog')
    await explorer.getByRole('button', { name: /Zapiski/ }).click()
    await explorer.getByRole('button', { name: 'notes.entries' }).click()
    await expect(explorer.getByRole('checkbox', { name: /Read your notes/ })).not.toBeChecked()
    await explorer.getByLabel('Search scopes').fill('citanje')
    await explorer.getByRole('checkbox', { name: /Read your notes/ }).check()
    await explorer.getByRole('button', { name: 'Save' }).click()
    const requestedScopes = page.getByRole('region', { name: 'What this app asks for' })
    await expect(requestedScopes.getByText('Defined by Zapiski')).toBeVisible()
    await page.getByLabel('Language of the preview').selectOption('hr-HR')
    await expect(page.getByText('Čitanje vaših bilješki')).toBeVisible()

    await jadrolet.start(reader, 'openid profile notes.entries.read')
    const visitor = await open({ ...PHONE, locale: 'hr-HR' })
    await signUpConfirmed(server, visitor, bor)
    await visitor.page.goto(jadrolet.url)
    await visitor.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(visitor.page.getByText('Čitanje vaših bilješki', { exact: true })).toBeVisible()
    await expect(visitor.page.getByText('Osjetljivo')).toBeVisible()
    await expect(visitor.page.getByText('Svih, i onih obrisanih.')).toBeVisible()
    const consentSwitch = visitor.page.getByRole('switch', { name: /Čitanje vaših bilješki/ })
    await expect(consentSwitch).not.toBeChecked()
    await consentSwitch.press('Space')
    await visitor.page.getByRole('button', { name: 'Dopusti' }).click()
    await expect(visitor.page.getByRole('heading', { name: 'Hello, Bor Horvat' })).toBeVisible()
    await visitor.page.goto(`${server.url}/privacy/activity`)
    await visitor.page
      .getByRole('button', { name: /Jadrolet/ })
      .last()
      .click()
    await expect(visitor.page.getByRole('dialog').getByText('Čitanje vaših bilješki')).toBeVisible()

    await page.goto(scopesOf(notes.client_id))
    await page.getByRole('button', { name: /Read your notes/ }).click()
    await page.getByRole('button', { name: 'Delete scope' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the scope notes.entries.read?' })
    await expect(dialog).toContainText('1 person has allowed it.')
    await expect(dialog).toContainText('Asked for by: Jadrolet.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(ownScopes.getByText('None yet.')).toBeVisible()
    await expect(page.locator('main :focus')).toHaveCount(1)
    await page.goto(scopesOf(reader.client_id))
    await expect(requestedScopes.getByText('Recognize you')).toBeVisible()
    await expect(requestedScopes.getByText('Read your notes')).toBeHidden()
    await visitor.page.goto(`${server.url}/applications`)
    await expect(visitor.page.getByText('Jadrolet').first()).toBeVisible()
    await expect(visitor.page.getByText('Čitanje vaših bilješki')).toHaveCount(0)
  })

  test('two scopes are removed one right after the other', async ({ server, open }) => {
    const developer = await open()
    const { page } = developer
    await signUpConfirmed(server, developer, ana)
    const { client_id, developer_id } = await registerApp(developer)
    await page.goto(`/developers/${developer_id}/applications/${client_id}/scopes`)
    const pressed = Promise.withResolvers<void>()
    await page.route(/\/v1\/client\//, async (route) => {
      if (route.request().method() === 'PUT') await pressed.promise
      await route.continue()
    })
    for (const scope of ['See your profile', 'See your email address'])
      await page.getByRole('button', { name: `Stop asking for: ${scope}` }).click()
    pressed.resolve()
    await expect(page.getByRole('region', { name: 'What this app asks for' }).getByRole('listitem')).toHaveCount(1)
    await expect
      .poll(async () => dataOf(await developer.call(clients.getClientInfo, { id: client_id })).scopes)
      .toEqual(['openid'])
  })

  test('an API of an app is added under its own address and removed', async ({ server, jadrolet, open }) => {
    const developer = await open()
    const { page } = developer
    await signUpConfirmed(server, developer, ana)
    const { client_id, developer_id } = await registerApp(developer, jadrolet.redirect_uri)
    await page.goto(`/developers/${developer_id}/applications/${client_id}/scopes`)
    const apis = page.getByRole('region', { name: 'APIs' })
    await expect(apis.getByText('Define a scope first.')).toBeVisible()
    const title = { 'en-US': 'Read your notes' }
    dataOf(await developer.call(scopes.defineScope, { id: client_id, key: 'notes.read', title }))
    dataOf(await developer.call(scopes.defineScope, { id: client_id, key: 'notes.write', title: { 'en-US': 'Write' } }))
    await page.reload()

    await apis.getByRole('button', { name: 'Add an API' }).click()
    const editor = page.getByRole('dialog', { name: 'Add an API' })
    await editor.getByLabel('Name').fill('Notes')
    await editor.getByLabel('Identifier').fill('http://api.notes.example')
    await editor.getByRole('checkbox', { name: /Write/ }).uncheck()
    await editor.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(editor.getByText('https://')).not.toHaveCount(0)
    await editor.getByLabel('Identifier').fill('https://api.notes.example')
    await editor.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(apis.getByText('https://api.notes.example')).toBeVisible()
    await expect(apis.getByText('notes.read', { exact: true })).toBeVisible()

    await apis.getByRole('button', { name: 'Remove https://api.notes.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(apis.getByText('None yet.')).toBeVisible()
  })
})
