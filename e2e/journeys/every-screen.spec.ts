import { account, auth, clients } from '@vrata/contract'
import { jadrolet as app, people, studio } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'
import { done, registerApp, settle, signUp } from '../settled.ts'

const { ana, cvetka } = people

test.describe('every screen, for everybody, in light and dark, on desktop and phone', () => {
  test.slow()

  test('before anybody is signed in', async ({ house, open }) => {
    const { page, call } = await open()
    await page.goto('/login')
    await inspect(page, 'login')
    await page.getByLabel('Email or username').fill('nobody')
    await page.getByLabel('Password', { exact: true }).fill('x')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert')).not.toBeEmpty()
    await inspect(page, 'login refused')

    await page.goto('/register')
    await page.getByLabel('Password', { exact: true }).fill('kratko')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Fill this in.').first()).toBeVisible()
    await inspect(page, 'sign-up with errors')

    await page.goto('/login')
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible()
    await inspect(page, 'forgot password')
    await page.getByLabel('Email').fill(cvetka.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
    await inspect(page, 'link sent')

    await page.goto('/change-password/not-a-token')
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await inspect(page, 'bad link to a new password')
    await settle(house, await open(), cvetka)
    done(await call(auth.forgotPassword, { email: cvetka.email }))
    await page.goto(await house.mailedLink(cvetka.email, '/change-password/'))
    await expect(page.getByText('For the account')).toBeVisible()
    await page.getByLabel('New password').fill(cvetka.password)
    await inspect(page, 'new password')

    await page.goto('/confirm-email/not-a-token')
    await inspect(page, 'confirm email')
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await inspect(page, 'bad link to confirm')

    await page.goto('/oauth?error=invalid_client')
    await expect(page.getByRole('heading', { name: 'This app is not known here' })).toBeVisible()
    await inspect(page, 'wrong request')
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: 'There is no door here.' })).toBeVisible()
    await inspect(page, 'not found')
    await page.goto('/mailbox')
    await expect(page.getByText(cvetka.email).first()).toBeVisible()
  })

  test('of what a person says of themselves, and of their privacy', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await visitor.call(account.updateAccount, { email: 'cvetka.nova@example.com' })
    await page.goto('/your-info')
    await expect(page.getByRole('button', { name: 'Keep the old one' })).toBeVisible()
    await inspect(page, 'your info, an address waiting')
    for (const info of [
      'name',
      'username',
      'email',
      'phone',
      'birth-date',
      'gender',
      'country',
      'language',
      'picture',
    ]) {
      await page.goto(`/your-info/${info}`)
      await expect(page.getByRole('dialog')).toBeVisible()
      await inspect(page, info)
    }
    await page.goto('/privacy/activity')
    await page.getByRole('button', { name: /^Created the account/ }).click()
    await expect(page.getByRole('button', { name: 'This was not me' })).toBeVisible()
    await inspect(page, 'one line of activity')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await inspect(page, 'activity')
    await page.goto('/privacy/activity?type=CHANGED_PASSWORD')
    await expect(page.getByText('Nothing like this has happened.')).toBeVisible()
    await inspect(page, 'no activity')
    await page.goto('/privacy/request-data')
    await page.getByRole('button', { name: 'Request my data' }).click()
    await expect(page.getByText('You can fetch it until')).toBeVisible({ timeout: 20_000 })
    await inspect(page, 'an archive')
    await page.goto('/privacy/settings')
    await expect(page.getByRole('switch', { name: 'Personalized ads' })).toBeVisible()
    await inspect(page, 'privacy settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(cvetka.email)
    await inspect(page, 'deleting the account')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Your account is on its way out' })).toBeVisible()
    await inspect(page, 'account deleted')
  })

  test('of a person and of their consent', async ({ house, jadrolet, open }) => {
    const maker = await open()
    await settle(house, maker, ana)
    await jadrolet.start(await registerApp(maker, jadrolet.redirect_uri))

    const visitor = await open({ allow: /auth\/logout/ })
    const { page } = visitor
    await signUp(visitor, cvetka)
    await page.goto('/verify')
    await expect(page.getByText(cvetka.email)).toBeVisible()
    await inspect(page, 'verify')
    await page.getByRole('button', { name: 'Use another address' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await inspect(page, 'dialog')
    await page.keyboard.press('Escape')
    await page.goto('/home')
    await expect(page.getByText('Your email address is not confirmed')).toBeVisible()
    await inspect(page, 'home with a worry')

    const link = await house.mailedLink(cvetka.email, '/confirm-email/')
    done(await visitor.call(account.verifyEmail, { token: link.split('/').at(-1) ?? '' }))
    await page.reload()
    await expect(page.getByText('Only a password protects your account')).toBeVisible()
    await inspect(page, 'home')
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await inspect(page, 'menu')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'More' }).click()
    await expect(page.getByRole('dialog', { name: 'More' })).toBeVisible()
    await inspect(page, 'more')

    await page.goto('/change-password')
    await expect(page.getByLabel('Current password')).toBeVisible()
    await inspect(page, 'change password')

    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeVisible()
    await inspect(page, 'consent')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('asks to sign you out')).toBeVisible()
    await inspect(page, 'sign out at an app')

    await page.route('**/auth/logout', (route) => route.abort())
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'Not signed out yet' })).toBeVisible()
    await inspect(page, 'not signed out')
  })

  test('of a developer', async ({ house, open }) => {
    const visitor = await open()
    const { page, call } = visitor
    await settle(house, visitor, ana)
    await page.goto('/developers?create=true')
    await expect(page.getByRole('dialog')).toBeVisible()
    await inspect(page, 'create a developer account')
    await page.keyboard.press('Escape')
    await inspect(page, 'developers intro')

    const { developer_id, client_id } = await registerApp(visitor, app.redirect_uri)
    const apps = `/developers/${developer_id}/applications`
    await page.goto('/developers/select')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inspect(page, 'select')
    await page.goto(`${apps}/${client_id}/details`)
    await expect(page.getByLabel('Home page')).toBeVisible()
    await inspect(page, 'app details')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await inspect(page, 'delete app')
    await page.goto(`${apps}/${client_id}/development`)
    await expect(page.getByText(app.redirect_uri)).toBeVisible()
    await inspect(page, 'app development')
    await page.goto(apps)
    await expect(page.getByRole('link', { name: /Jadrolet/ })).toBeVisible()
    await inspect(page, 'applications')
    await page.getByRole('button', { name: 'Register an app' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await inspect(page, 'register an app')
    await page.getByRole('dialog').getByLabel('Name').fill('Trajekt')
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('Copy the secret now')).toBeVisible()
    await inspect(page, 'registered')

    for (const { client_id } of done(await call(clients.listClients)))
      done(await call(clients.deleteClient, { id: client_id }))
    await page.goto(apps)
    await expect(page.getByText('No apps yet')).toBeVisible()
    await inspect(page, 'no applications')
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await expect(page.getByRole('menuitem', { name: studio.name })).toBeVisible()
    await inspect(page, 'menu of a developer')
    await page.goto(`/developers/${developer_id}/settings`)
    await expect(page.getByRole('button', { name: 'Add a picture' })).toBeVisible()
    await inspect(page, 'organization settings')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await inspect(page, 'delete organization')
    await page.keyboard.press('Escape')
    await page.goto(`/developers/${developer_id}/settings/activity`)
    await expect(page.getByText('Registered the app Trajekt')).toBeVisible()
    await inspect(page, 'activity of the organization')
    await page.goto(`/developers/${developer_id}/settings/activity?type=REMOVED_SCOPE`)
    await expect(page.getByText('Nothing like this has been done.')).toBeVisible()
    await inspect(page, 'no activity of the organization')
    await page.goto(`/developers/${developer_id}/members`)
    await expect(page.getByText('Not here yet')).toBeVisible()
    await inspect(page, 'members')
  })
})
