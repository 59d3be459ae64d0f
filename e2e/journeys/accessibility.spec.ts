import { account, clients, groups, members, scopes, security, sessions, signIn } from '@vrata/contract'
import { jadrolet as app, people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUp, signUpConfirmed, signUpOperator, UNKNOWN_ID } from '../accounts.ts'
import { registerDeviceClient } from '../device-client.ts'
import { expect, test, visit } from '../fixtures.ts'

const { ana, cvetka } = people

test.describe('accessibility of every screen, in both themes, on a desktop and a phone', () => {
  test.slow()

  test('pages without sign-in pass axe', async ({ server, open, openWithoutPage }) => {
    const { page, call } = await open()
    await page.goto('/login')
    await checkAccessibility(page, 'login')
    await page.getByLabel('Email or username').fill('nobody')
    await page.getByLabel('Password', { exact: true }).fill('x')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('alert')).not.toBeEmpty()
    await checkAccessibility(page, 'login with an error')

    await visit(page, '/register')
    await page.getByLabel('Password', { exact: true }).fill('kratko')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Enter your email.').first()).toBeVisible()
    await checkAccessibility(page, 'sign-up with errors')

    await visit(page, '/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
    await checkAccessibility(page, 'forgot password')
    await page.getByLabel('Email', { exact: true }).fill(cvetka.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    await checkAccessibility(page, 'link sent')

    await visit(page, '/change-password/not-a-token')
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await checkAccessibility(page, 'invalid password link')
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    dataOf(await call(signIn.forgotPassword, { email: cvetka.email }))
    await page.goto(await server.mailedLink(cvetka.email, '/change-password/'))
    await expect(page.getByText('For the account')).toBeVisible()
    await page.getByLabel('New password').fill(cvetka.password)
    await checkAccessibility(page, 'new password')

    await visit(page, '/confirm-email/not-a-token')
    await checkAccessibility(page, 'confirm email')
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await checkAccessibility(page, 'invalid confirmation link')

    await page.goto('/oauth?error=invalid_client')
    await expect(page.getByRole('heading', { name: 'We don’t recognize this app' })).toBeVisible()
    await expect(page).toHaveTitle('We don’t recognize this app · Vrata')
    await checkAccessibility(page, 'invalid authorization request')
    await page.goto('/oauth?error=invalid_post_logout_redirect_uri')
    await expect(page.getByRole('heading', { name: 'This app’s request to sign you out is not valid' })).toBeVisible()
    await expect(page.getByText('You are still signed in.')).toBeHidden()
    await checkAccessibility(page, 'invalid sign-out request')
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: 'This page doesn’t exist.' })).toBeVisible()
    await checkAccessibility(page, 'not found')
    await page.goto('/end-session')
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await checkAccessibility(page, 'signed out by an app')
    await page.goto('/mailbox')
    await expect(page.getByText(cvetka.email).first()).toBeVisible()
  })

  test('your info and privacy pass axe', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await visitor.call(account.updateAccount, { email: 'cvetka.nova@example.com' })
    await page.goto('/oauth?error=invalid_post_logout_redirect_uri')
    await expect(page.getByText('You are still signed in.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign out' })).toHaveAttribute('href', '/logout')
    await page.goto('/your-info')
    await expect(page.getByRole('button', { name: 'Keep the old email' })).toBeVisible()
    await checkAccessibility(page, 'your info with an unconfirmed email')
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
      await visit(page, `/your-info/${info}`)
      await expect(page.getByRole('dialog')).toBeVisible()
      await checkAccessibility(page, info)
    }
    await visit(page, '/privacy/activity')
    await page.getByRole('button', { name: /^Created the account/ }).click()
    await expect(page.getByRole('button', { name: 'This was not me' })).toBeVisible()
    await checkAccessibility(page, 'activity details')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await checkAccessibility(page, 'activity')
    await visit(page, '/privacy/activity?type=CHANGED_PASSWORD')
    await expect(page.getByText('No activity matches these filters.')).toBeVisible()
    await checkAccessibility(page, 'no matching activity')
    await visit(page, '/privacy/request-data')
    await page.getByRole('button', { name: 'Request my data' }).click()
    await expect(page.getByText('You can download it until')).toBeVisible()
    await checkAccessibility(page, 'data request with an archive')
    await visit(page, '/privacy/settings')
    await expect(page.getByRole('switch', { name: 'Personalized ads' })).toBeVisible()
    await checkAccessibility(page, 'privacy settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(cvetka.email)
    await checkAccessibility(page, 'deleting the account')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Your account will be deleted' })).toBeVisible()
    await checkAccessibility(page, 'account deleted')
  })

  test('home, consent and sign-out pass axe', async ({ server, jadrolet, open, openWithoutPage }) => {
    const developer = await openWithoutPage()
    await signUpConfirmed(server, developer, ana)
    await jadrolet.start(await registerApp(developer, jadrolet.redirect_uri))

    const visitor = await open({ allow: /auth\/logout/ })
    const { page } = visitor
    await signUp(visitor, cvetka)
    await page.goto('/verify')
    await expect(page.getByText(cvetka.email)).toBeVisible()
    await checkAccessibility(page, 'verify')
    await page.getByRole('button', { name: 'Use another address' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page, 'another email')
    await page.keyboard.press('Escape')
    await visit(page, '/home')
    await expect(page.getByText('Your email address is not confirmed')).toBeVisible()
    await checkAccessibility(page, 'home with an unconfirmed email')

    const link = await server.mailedLink(cvetka.email, '/confirm-email/')
    dataOf(await visitor.call(security.verifyEmail, { token: tokenIn(link) }))
    await page.reload()
    await expect(page.getByText('Only a password protects your account')).toBeVisible()
    await checkAccessibility(page, 'home')
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await checkAccessibility(page, 'menu')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'More' }).click()
    await expect(page.getByRole('dialog', { name: 'More' })).toBeVisible()
    await checkAccessibility(page, 'more')
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await expect(page.getByText('You are offline. Changes can’t be saved until you are back.')).toBeVisible()
    await checkAccessibility(page, 'offline')
    await page.context().setOffline(false)

    await visit(page, '/change-password')
    await expect(page.getByLabel('Current password')).toBeVisible()
    await checkAccessibility(page, 'change password')

    await page.goto(jadrolet.url)
    await page.getByRole('button', { name: 'Sign in with Vrata' }).click()
    await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeVisible()
    await checkAccessibility(page, 'consent')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('wants to sign you out')).toBeVisible()
    await checkAccessibility(page, 'sign-out requested by an app')

    await page.route('**/auth/logout', (route) => route.abort())
    await page.goto('/logout')
    await expect(page.getByRole('heading', { name: 'You are still signed in' })).toBeVisible()
    await checkAccessibility(page, 'failed sign-out')
  })

  test('pages of an app pass axe', async ({ server, open }) => {
    const visitor = await open({ allow: /auth\/refresh/ })
    const { page, call } = visitor
    await signUpConfirmed(server, visitor, ana)
    await page.goto('/developers?create=true')
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page, 'create a developer account')
    await page.keyboard.press('Escape')
    await checkAccessibility(page, 'developers intro')

    const { developer_id, client_id } = await registerApp(visitor, app.redirect_uri)
    const apps = `/developers/${developer_id}/applications`
    await page.goto('/developers/select')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await checkAccessibility(page, 'select')
    dataOf(await call(sessions.refresh, { developer_id: null }))
    await page.route('**/v1/auth/refresh', (route) => route.abort())
    await page.goto('/developers/select')
    await expect(page.getByRole('heading', { name: 'The account could not be opened' })).toBeVisible()
    await checkAccessibility(page, 'select after a failed request')
    await page.unroute('**/v1/auth/refresh')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL(apps)
    await visit(page, `${apps}/${client_id}/details`)
    await expect(page.getByLabel('Home page')).toBeVisible()
    await checkAccessibility(page, 'app details')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page, 'delete app')
    await visit(page, `${apps}/${client_id}/development`)
    await expect(page.getByText(app.redirect_uri)).toBeVisible()
    await checkAccessibility(page, 'app development')
    await visit(page, `${apps}/${client_id}/quick-start`)
    await expect(page.getByText('Waiting for your first sign-in')).toBeVisible()
    await checkAccessibility(page, 'quick start before the first sign-in')
    await visit(page, `${apps}/${client_id}/scopes`)
    await expect(page.getByText('None yet.')).toBeVisible()
    await checkAccessibility(page, 'app scopes without own scopes')
    const title = { 'en-US': 'Read your notes' }
    dataOf(await call(scopes.defineScope, { id: client_id, key: 'notes.entries.read', title, sensitive: true }))
    await page.reload()
    await expect(page.getByText('Read your notes')).toBeVisible()
    await checkAccessibility(page, 'app scopes')
    await page.getByRole('button', { name: 'Choose scopes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'notes' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'notes.entries' }).click()
    await expect(page.getByRole('checkbox', { name: /Read your notes/ })).toBeVisible()
    await checkAccessibility(page, 'scope explorer')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Read your notes/ }).click()
    await expect(page.getByRole('dialog', { name: 'Edit scope' })).toBeVisible()
    await checkAccessibility(page, 'scope editor')
    await visit(page, apps)
    await expect(page.getByRole('link', { name: /Jadrolet/ })).toBeVisible()
    await checkAccessibility(page, 'applications')
    await page.getByRole('button', { name: 'Register an app' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page, 'register an app')
    await page.getByRole('dialog').getByLabel('Name').fill('Trajekt')
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('Copy the secret now')).toBeVisible()
    await checkAccessibility(page, 'new client secret')
  })

  test('organization settings pass axe', async ({ server, open }) => {
    const visitor = await open()
    const { page, call } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { developer_id } = await registerApp(visitor, app.redirect_uri)
    const apps = `/developers/${developer_id}/applications`
    for (const { client_id } of dataOf(await call(clients.listClients)))
      dataOf(await call(clients.deleteClient, { id: client_id }))
    await page.goto(apps)
    await expect(page.getByText('No apps yet')).toBeVisible()
    await checkAccessibility(page, 'no applications')
    await page.getByRole('button', { name: /^Accounts/ }).click()
    await expect(page.getByRole('menuitem', { name: studio.name })).toBeVisible()
    await checkAccessibility(page, 'menu in the developer area')
    await visit(page, `/developers/${developer_id}/settings`)
    await expect(page.getByRole('button', { name: 'Add a picture' })).toBeVisible()
    await checkAccessibility(page, 'organization settings')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page, 'delete organization')
    await page.keyboard.press('Escape')
    await visit(page, `/developers/${developer_id}/settings/activity`)
    await expect(page.getByText(`Registered the app ${app.name}`)).toBeVisible()
    await checkAccessibility(page, 'activity of the organization')
    await visit(page, `/developers/${developer_id}/settings/activity?type=REMOVED_SCOPE`)
    await expect(page.getByText('No activity matches these filters.')).toBeVisible()
    await checkAccessibility(page, 'no matching activity of the organization')
  })

  test('pages of operators about one thing pass axe, also where it does not exist', async ({ server, open }) => {
    const operator = await open()
    const { page, call } = operator
    await signUpOperator(server, operator, ana)
    const { developer_id } = await registerApp(operator, app.redirect_uri)
    dataOf(await call(groups.createGroup, { key: 'staff', name: 'Staff' }))
    await page.goto('/admin/organizations')
    for (const [path, heading] of [
      [`organizations/${developer_id}`, studio.name],
      ['groups/staff', 'Staff'],
      [`people/${UNKNOWN_ID}`, 'This person does not exist'],
      [`organizations/${UNKNOWN_ID}`, 'This organization does not exist'],
      ['groups/none', 'This group does not exist'],
    ] as const) {
      await visit(page, `/admin/${path}`)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await checkAccessibility(page, path)
    }
  })

  test('members and invitations pass axe', async ({ server, open }) => {
    const visitor = await open()
    const { page, call } = visitor
    await signUpConfirmed(server, visitor, ana)
    const { developer_id } = await registerApp(visitor)
    await page.goto(`/developers/${developer_id}/members`)
    await expect(page.getByText('No other members yet')).toBeVisible()
    await checkAccessibility(page, 'members with a single owner')
    const { id, link } = dataOf(await call(members.inviteMember, { email: cvetka.email, permission: 'moderator' }))
    await page.reload()
    await expect(page.getByRole('button', { name: cvetka.email })).toBeVisible()
    await checkAccessibility(page, 'members')
    await page.getByRole('button', { name: 'Invite someone' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await checkAccessibility(page, 'invite')
    await page.goto(link)
    await expect(page.getByRole('link', { name: 'Use another account' })).toBeVisible()
    await checkAccessibility(page, 'invitation for another account')
    const signedOut = await open()
    await signedOut.page.goto(link)
    await expect(signedOut.page.getByRole('link', { name: 'Create an account' })).toBeVisible()
    await checkAccessibility(signedOut.page, 'invitation without sign-in')
    await visit(page, '/accept-invitation/nonsense')
    await expect(page.getByRole('heading', { name: 'Link is not valid.' })).toBeVisible()
    await checkAccessibility(page, 'invalid invitation link')
    const invited = await open()
    await signUpConfirmed(server, invited, cvetka)
    await invited.page.goto('/home')
    await expect(invited.page.getByText('Invitations waiting for you')).toBeVisible()
    await checkAccessibility(invited.page, 'home with an invitation')
    await invited.page.goto(link)
    await expect(invited.page.getByRole('button', { name: 'Join' })).toBeVisible()
    await checkAccessibility(invited.page, 'invitation')
    dataOf(await call(members.removeMember, { id }))
    await invited.page.reload()
    await expect(invited.page.getByText('This invitation was withdrawn')).toBeVisible()
    await checkAccessibility(invited.page, 'withdrawn invitation')
  })

  test('device authorization passes axe', async ({ server, open }) => {
    const visitor = await open()
    const { page, context } = visitor
    await signUpConfirmed(server, visitor, ana)
    const device = await registerDeviceClient(server, visitor)
    await page.goto('/device')
    await page.getByLabel('Code on the device').fill('BCDF-GHJK')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('No device is showing this code.')).toBeVisible()
    await checkAccessibility(page, 'wrong device code')

    const { verification_uri_complete: url } = await device.requestCode()
    await page.goto(url)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Is this the code on your device?')).toBeVisible()
    await checkAccessibility(page, 'consent for a device')
    const tab = await context.newPage()
    await tab.goto(url)
    await checkAccessibility(tab, 'device code from the URL')
    await tab.getByRole('button', { name: 'Continue' }).click()
    await tab.getByRole('button', { name: 'Deny' }).click()
    await expect(tab.getByRole('heading', { name: 'Denied' })).toBeVisible()
    await checkAccessibility(tab, 'denied device')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'This request has expired' })).toBeVisible()
    await page.goto('/device?done=allowed')
    await checkAccessibility(page, 'connected device')
  })
})

test('a page in the dark theme is printed in dark letters, without the bottom menu', async ({ server, open }) => {
  const visitor = await open({ viewport: { width: 794, height: 1123 } })
  await signUpConfirmed(server, visitor, ana)
  const { page } = visitor
  await page.goto('/home')
  await page.evaluate('document.documentElement.dataset.theme = "dark"')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(15, 34, 36)')
  await expect(menu).toBeHidden()
  // It is above the window, which on paper is the page before.
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeHidden()
  await page.emulateMedia({ media: null })
})

test('pages of a phone keep in the window with text of twice the size', async ({ server, open }) => {
  const visitor = await open({ viewport: { width: 390, height: 844 } })
  await signUpConfirmed(server, visitor, ana)
  const { page } = visitor
  for (const path of ['/home', '/security', '/your-info', '/devices', '/applications', '/developers', '/verify']) {
    await page.goto(path)
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0)
  }
})

test('the label of a row keeps whole words beside its value with text of twice the size', async ({ server, open }) => {
  const visitor = await open({ viewport: { width: 390, height: 844 } })
  await signUpConfirmed(server, visitor, ana)
  const { page } = visitor
  await page.goto('/privacy/activity')
  const label = page.getByRole('listitem').getByText('Created the account', { exact: true })
  await expect(label).toBeVisible()
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  expect((await label.boundingBox())?.width).toBeGreaterThan(120)
  // The same holds for the facts of its sheet, and for the permissions that an app asks for.
  await label.click()
  const fact = page.getByRole('dialog').getByRole('definition').first()
  expect((await fact.boundingBox())?.width).toBeGreaterThan(120)
  const { client_id } = await registerApp(visitor)
  await page.goto(`/oauth?client_id=${client_id}&scope=openid%20profile%20email`)
  const permission = page.getByText('See your email address', { exact: true })
  await expect(permission).toBeVisible()
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  expect((await permission.boundingBox())?.width).toBeGreaterThan(120)
  await page.goto('/logout')
  const known = page.getByRole('button', { name: /^Ana Kovač/ }).getByText('Ana Kovač')
  await expect(known).toBeVisible()
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  expect((await known.boundingBox())?.width).toBeGreaterThan(60)
})
