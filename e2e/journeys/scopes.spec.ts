import { clients } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana, bor } = people

test.describe('§6 scopes of an app', () => {
  test('are defined, chosen in another app, allowed by a person, and deleted', async ({ house, jadrolet, open }) => {
    const maker = await open()
    const { page } = maker
    await settle(house, maker, ana)
    const reader = await registerApp(maker, jadrolet.redirect_uri)
    const notes = done(await maker.call(clients.createClient, { name: 'Zapiski' }))
    const scopesOf = (id: string) => `/developers/${reader.developer_id}/applications/${id}/scopes`

    await page.goto(scopesOf(notes.client_id))
    await page.getByRole('button', { name: 'Define a scope' }).click()
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Key').fill('notes')
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect(editor.getByText('Write at least two words with a dot between them')).toBeVisible()
    await editor.getByLabel('Key').fill('notes.entries.read')
    await editor.getByRole('group', { name: 'English' }).getByLabel('Title').fill('Read your notes')
    const croatian = editor.getByRole('group', { name: 'Croatian' })
    await croatian.getByLabel('Title').fill('Čitanje vaših bilješki')
    await croatian.getByLabel('Description').fill('Svih, i onih obrisanih.')
    await editor.getByLabel('Sensitive').check()
    await editor.getByRole('button', { name: 'Save' }).click()
    const own = page.getByRole('region', { name: 'Scopes this app defines' })
    await expect(own.getByText('notes.entries.read')).toBeVisible()
    await expect(own.getByText('Missing: Slovenian')).toBeVisible()

    await page.goto(scopesOf(reader.client_id))
    await page.getByRole('button', { name: 'Choose scopes' }).click()
    const explorer = page.getByRole('dialog')
    await explorer.getByRole('button', { name: /Zapiski/ }).click()
    await explorer.getByRole('button', { name: 'notes.entries' }).click()
    await expect(explorer.getByRole('checkbox', { name: /Read your notes/ })).not.toBeChecked()
    await explorer.getByLabel('Search keys and texts').fill('citanje')
    await explorer.getByRole('checkbox', { name: /Read your notes/ }).check()
    await explorer.getByRole('button', { name: 'Save' }).click()
    const asked = page.getByRole('region', { name: 'What this app asks for' })
    await expect(asked.getByText('Defined by Zapiski')).toBeVisible()
    await page.getByLabel('Language of the preview').selectOption('hr-HR')
    await expect(page.getByText('Čitanje vaših bilješki')).toBeVisible()

    await jadrolet.start(reader, 'openid profile notes.entries.read')
    const person = await open({ ...PHONE, locale: 'hr-HR' })
    await settle(house, person, bor)
    await person.page.goto(jadrolet.url)
    await person.page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(person.page.getByText('Čitanje vaših bilješki', { exact: true })).toBeVisible()
    await expect(person.page.getByText('Osjetljivo')).toBeVisible()
    await expect(person.page.getByText('Svih, i onih obrisanih.')).toBeVisible()
    const allowed = person.page.getByRole('switch', { name: /Čitanje vaših bilješki/ })
    await expect(allowed).not.toBeChecked()
    await allowed.press('Space')
    await person.page.getByRole('button', { name: 'Dopusti' }).click()
    await expect(person.page.getByRole('heading', { name: 'Hello, Bor Horvat' })).toBeVisible()
    await person.page.goto(`${house.url}/privacy/activity`)
    await person.page
      .getByRole('button', { name: /Jadrolet/ })
      .last()
      .click()
    await expect(person.page.getByRole('dialog').getByText('Čitanje vaših bilješki')).toBeVisible()

    await page.goto(scopesOf(notes.client_id))
    await page.getByRole('button', { name: /Read your notes/ }).click()
    await page.getByRole('button', { name: 'Delete the scope' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the scope notes.entries.read?' })
    await expect(question).toContainText('1 person has allowed it.')
    await expect(question).toContainText('Asked for by: Jadrolet.')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(own.getByText('None yet.')).toBeVisible()
    await page.goto(scopesOf(reader.client_id))
    await expect(asked.getByText('Recognize you')).toBeVisible()
    await expect(asked.getByText('Read your notes')).toBeHidden()
    await person.page.goto(`${house.url}/applications`)
    await expect(person.page.getByText('Jadrolet').first()).toBeVisible()
    await expect(person.page.getByText('Čitanje vaših bilješki')).toHaveCount(0)
  })
})
