import { jadrolet as app, people, studio } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'

const { ana } = people

/** The steps that the README describes. */
test('getting started: a new user signs up, registers an app and signs in to it', async ({ jadrolet, open }) => {
  test.slow()
  const { page, context } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })

  await test.step('creates an account', async () => {
    await page.goto('/')
    await expect(page).toHaveURL(/\/login/)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('First name').fill(ana.first_name)
    await page.getByLabel('Last name').fill(ana.last_name)
    await page.getByLabel('Email', { exact: true }).fill(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  })

  await test.step('finds the mail in the mailbox and confirms the address', async () => {
    const mailbox = await context.newPage()
    await mailbox.goto('/mailbox')
    // The mailbox page reloads itself until the mail has arrived.
    await mailbox.getByRole('link', { name: /\/confirm-email\// }).click()
    await mailbox.getByRole('button', { name: 'Confirm email' }).click()
    await expect(mailbox.getByRole('heading', { name: 'Email confirmed' })).toBeFocused()
    await mailbox.close()
    await expect(page.getByRole('heading', { name: 'Hello, Ana' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Your info' }).last()).toContainText(ana.email)
    await expect(page.getByRole('link', { name: 'Privacy' }).last()).toContainText('Personalized ads: off')
  })

  await test.step('creates a developer account', async () => {
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await page.getByRole('menuitem', { name: 'Vrata for developers' }).click()
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByText('people sign in now and decide what the app may see')).toBeVisible()
    await page.getByRole('button', { name: 'Create a developer account' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill(studio.name)
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Accounts/ })).toContainText(studio.name)
  })

  const credentials = await test.step('registers an app and copies its id and secret', async () => {
    await page.getByRole('button', { name: 'Register an app' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(app.name)
    await dialog.getByLabel('Redirect URI').fill(jadrolet.redirect_uri)
    await dialog.getByRole('button', { name: 'Register' }).click()
    await expect(dialog.getByText('Copy the secret now')).toBeVisible()
    const copied: string[] = []
    for (const field of ['Client ID', 'Client secret']) {
      // Shown for two seconds, so the page looks for it in each frame, and before the click.
      await Promise.all([
        dialog.getByRole('button', { name: `Copied ${field}` }).waitFor(),
        dialog.getByRole('button', { name: field }).click(),
      ])
      copied.push(await page.evaluate(() => navigator.clipboard.readText()))
    }
    await dialog.getByRole('button', { name: 'Open the app' }).click()
    await expect(page.getByText(jadrolet.redirect_uri)).toBeVisible()
    const [client_id = '', client_secret = ''] = copied
    return { client_id, client_secret }
  })

  await test.step('signs in to the app, which shows the name', async () => {
    await jadrolet.start(credentials)
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'Jadrolet wants to use your Vrata account' })).toBeVisible()
    await expect(page.getByText(`You will go to ${new URL(jadrolet.url).host}`)).toBeVisible()
    await expect(page.getByText(`Made by ${studio.name}, not by Vrata`)).toBeVisible()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page).toHaveURL(`${jadrolet.url}/`)
    await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()
    await expect(page.getByText(ana.email, { exact: true })).toBeVisible()
  })

  await test.step('is not asked for consent again', async () => {
    await context.clearCookies({ name: 'jadrolet.sid' })
    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('heading', { name: 'Hello, Ana Kovač' })).toBeVisible()
  })

  await test.step('signs out of the app and of Vrata', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('Jadrolet wants to sign you out')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await page.goto('/')
    await expect(page).toHaveURL(/\/login\?/)
    await page.goto(jadrolet.url)
    await expect(page.getByRole('button', { name: 'Sign in with Vrata' })).toBeVisible()
  })
})
