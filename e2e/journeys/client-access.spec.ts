import { account, groups } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, cvetka } = people

test('an app is limited to a group; a person outside reads whom to ask, is added, and signs in', async ({
  server,
  jadrolet,
  open,
}) => {
  const owner = await open()
  await signUpOperator(server, owner, ana)
  dataOf(await owner.call(groups.createGroup, { key: 'staff', name: 'Staff' }))
  const { developer_id, ...client } = await registerApp(owner, jadrolet.redirect_uri)
  await jadrolet.start(client)

  await test.step('everyone may use a new app; the owner limits it', async () => {
    const { page } = owner
    await page.goto(`/developers/${developer_id}/applications/${client.client_id}/details`)
    await expect(page.getByText('Everyone who has an account in this installation can sign in')).toBeVisible()
    await page.getByRole('button', { name: 'Change access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who may use this app').selectOption('Members of groups')
    await dialog.getByLabel('Keys of the groups').fill('stuff')
    await dialog.getByRole('button', { name: 'Change access' }).click()
    await expect(dialog.getByText('One of these groups does not exist.')).toBeVisible()
    await dialog.getByLabel('Keys of the groups').fill('staff')
    await dialog.getByRole('button', { name: 'Change access' }).click()
    await expect(page.getByText('Only members of these groups: staff')).toBeVisible()
    await checkAccessibility(page, 'access of an app')
  })

  const visitor = await open({ ...PHONE, locale: 'sl-SI' })
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  await test.step('a person outside the group returns to the app', async () => {
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'Te aplikacije ne morete uporabljati' })).toBeVisible()
    await checkAccessibility(page, 'no access')
    await page.getByRole('button', { name: 'Nazaj v aplikacijo Jadrolet' }).click()
    await expect(page.getByRole('heading', { name: 'Not signed in' })).toBeVisible()
  })

  await test.step('a member signs in', async () => {
    const { id: user_id } = dataOf(await visitor.call(account.getAccount, {}))
    dataOf(await owner.call(groups.addGroupMember, { key: 'staff', user_id }))
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await page.getByRole('button', { name: 'Dovoli' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Cvetka Zajc' })).toBeVisible()
  })
})

test('the access rule of an app can be loaded again after a failure', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  const { page } = visitor
  await page.goto(`/developers/${developer_id}/applications`)
  await page.route('**/v1/client/*/access', (route) => route.abort())
  await page.getByRole('link', { name: /^Jadrolet/ }).click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Change access' })).toBeVisible()
})
