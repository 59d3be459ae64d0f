import { accountInvitations, adminUsers, developers, members, operators, policy } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { addPasskey, enableOtp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { virtualAuthenticator } from '../authenticator.ts'
import { expect, test } from '../fixtures.ts'
import { loseAnswers } from '../lose-answers.ts'

const { ana, bor, cvetka } = people
/** Errors of pages whose calls get no answer. */
const allow = /ERR_FAILED/

test.describe('a link that works once, whose answer was lost', () => {
  test('says that the account may already be set up, and leads to the sign-in page', async ({
    server,
    open,
    openWithoutPage,
  }) => {
    const operator = await openWithoutPage()
    await signUpOperator(server, operator, ana)
    for (const [{ email, first_name, last_name, password }, way] of [
      [bor, 'password'],
      [cvetka, 'passkey'],
    ] as const) {
      dataOf(await operator.call(adminUsers.createUser, { email, first_name, last_name }))
      const { page } = await open({ allow })
      await virtualAuthenticator(page)
      await page.goto(await server.mailedLink(email, '/accept-account/'))
      await page.getByLabel('New password').fill(password)
      const name = way === 'password' ? 'Save password and sign in' : 'Use a passkey'
      await loseAnswers(page, accountInvitations[way === 'password' ? 'acceptWithPassword' : 'acceptWithPasskey'])
      await page.getByRole('button', { name }).click()
      await expect(page.getByText('The server can’t be reached.')).toBeVisible()
      await page.unrouteAll()
      await page.getByRole('button', { name }).click()
      await expect(page.getByRole('heading', { name: 'Your account may already be set up' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
    }
  })

  test('says that the new passkey may already be set up', async ({ server, open, openWithoutPage }) => {
    const operator = await open()
    await signUpOperator(server, operator, ana)
    await virtualAuthenticator(operator.page)
    await addPasskey(operator.page)
    const person = await openWithoutPage()
    await signUpConfirmed(server, person, bor)
    await enableOtp(person)
    dataOf(await operator.call(policy.updatePolicy, { password_sign_in: false }))
    const [{ id = '' } = {}] = dataOf(await operator.call(adminUsers.listAdminUsers, { query: bor.email }))
    dataOf(await operator.call(adminUsers.resetFactors, { id, reason: 'Asked in person', immediately: true }))
    const { page } = await open({ allow })
    await virtualAuthenticator(page)
    await page.goto(await server.mailedLink(bor.email, '/new-passkey/'))
    const button = page.getByRole('button', { name: 'Set up a passkey and sign in' })
    await loseAnswers(page, accountInvitations.addPasskeyByLink)
    await button.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await page.unrouteAll()
    await button.click()
    await expect(page.getByRole('heading', { name: 'Your new passkey may already be set up' })).toBeVisible()
    await checkAccessibility(page, 'used passkey link whose answer was lost')
  })

  test('leads to the organization that was joined', async ({ server, open, openWithoutPage }) => {
    const owner = await openWithoutPage()
    await signUpConfirmed(server, owner, ana)
    dataOf(await owner.call(developers.createDeveloper, { name: studio.name }))
    const { link } = dataOf(await owner.call(members.inviteMember, { email: bor.email }))
    const visitor = await open({ allow })
    await signUpConfirmed(server, visitor, bor)
    const { page } = visitor
    // The socket would tell that the account has an organization.
    await page.routeWebSocket('**', () => {})
    await page.goto(link)
    const join = page.getByRole('button', { name: 'Join' })
    await loseAnswers(page, members.acceptInvitation)
    await join.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await page.unrouteAll()
    await join.click()
    await expect(page.getByRole('heading', { name: 'This invitation was already accepted' })).toBeVisible()
    await page.getByRole('link', { name: 'Open the developer area' }).click()
    await expect(page.getByRole('main')).toContainText(studio.name)
  })

  test('goes on to set up the installation', async ({ server, open }) => {
    const visitor = await open({ allow })
    await signUpConfirmed(server, visitor, ana)
    await enableOtp(visitor)
    const { page } = visitor
    await page.clock.install()
    // The socket would bring the role, too.
    await page.routeWebSocket('**', () => {})
    await page.goto(await server.setupLink())
    const accept = page.getByRole('button', { name: 'Become the administrator' })
    await loseAnswers(page, operators.completeSetup)
    await accept.click()
    await expect(page.getByText('The server can’t be reached.')).toBeVisible()
    await page.unrouteAll()
    // The page checks the link again when it becomes visible.
    const read = page.waitForResponse((response) => response.url().includes('/setup/') && response.status() === 400)
    await page.clock.fastForward('01:00')
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await read
    await accept.click()
    await expect(page.getByRole('heading', { name: 'This installation', exact: true })).toBeVisible()
  })
})
