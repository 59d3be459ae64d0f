import { people } from '../../server/test/people.ts'
import { halves } from '../../server/test/pictures.ts'
import { checkAccessibility } from '../accessibility.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { setUpInstallation } from '../set-up-installation.ts'

const { bor, cvetka } = people

test('a newcomer sets up an installation, and the first invited person uses its first app', async ({
  server,
  jadrolet,
  open,
}) => {
  test.slow()
  const { page } = await open()
  const { redirect_uri } = jadrolet
  // Other journeys check the pages that are not part of setting up.
  const show = async (screen: string) => {
    if (screen.startsWith('setup')) await checkAccessibility(page, screen)
  }
  const client = await setUpInstallation({ page, server, redirect_uri, logo: await halves('png'), show })
  await jadrolet.start(client)

  await test.step('setting up is finished', async () => {
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'Sign-ins' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Setting up is not finished' })).toBeHidden()
  })

  await test.step('the invited person chooses a password, and uses the app', async () => {
    const person = (await open(PHONE)).page
    await person.goto(await server.mailedLink(bor.email, '/accept-account/'))
    await person.getByLabel('New password').fill(bor.password)
    await person.getByRole('button', { name: 'Save password and sign in' }).click()
    await expect(person).toHaveTitle('Home · Kras')
    await person.goto(jadrolet.url)
    await person.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(person.getByRole('heading', { name: 'Jadrolet wants to use your Kras account' })).toBeVisible()
    await person.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(person.getByRole('heading', { name: 'Hello, Bor Horvat' })).toBeVisible()
  })

  await test.step('people of other domains cannot join', async () => {
    const stranger = (await open()).page
    await stranger.goto('/register')
    await stranger.getByLabel('Email').fill('somebody@elsewhere.example')
    await stranger.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await stranger.getByRole('button', { name: 'Create account' }).click()
    await expect(stranger.getByText('accounts can’t be created with this address here')).toBeVisible()
  })
})
