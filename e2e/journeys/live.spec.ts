import type { Page } from '@playwright/test'
import { account, auth, connections, invitations, members } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { halves } from '../../server/test/pictures.ts'
import { expect, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana, bor } = people
const signIn = { username: ana.email, password: ana.password }
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** A page whose socket is open. */
const connected = (page: Page) => page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))

/** What comes with time, in a page whose clock is ours: nobody waits the ten seconds. */
const later = (page: Page, seen: () => Promise<void>) =>
  expect(async () => {
    await page.clock.fastForward(10_000)
    await seen()
  }).toPass({ timeout: 10_000 })

test('§7 a sign-in elsewhere is there at once, and whoever it was is shown out of every tab', async ({
  house,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, ana)
  const { page, context } = visitor
  const open1 = connected(page)
  await page.goto('/devices')
  await open1
  const second = await context.newPage()
  const open2 = connected(second)
  await second.goto('/privacy/activity')
  await open2

  const thief = await open({ userAgent: IPHONE })
  done(await thief.call(auth.login, signIn))
  await expect(page.getByRole('list', { name: 'Devices' }).getByText('Safari on iOS').first()).toBeVisible()
  await expect(second.getByRole('button', { name: /Signed in.*Safari/ })).toBeVisible()

  const tabs = [thief.page, await thief.context.newPage()]
  for (const tab of tabs) {
    const opened = connected(tab)
    await tab.goto('/your-info')
    await opened
  }
  // The sentence of it leads to what was done there, and from there to the way out.
  const told = page.getByRole('status').filter({ hasText: 'A device has just signed in: Safari, iOS' })
  await told.getByRole('button', { name: 'This was not me' }).click()
  await page.getByRole('button', { name: /Signed in.*Safari/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'This was not me' }).click()
  for (const tab of tabs) await expect(tab).toHaveURL(/\/login\?/)
  for (const tab of tabs) await expect(tab.getByText('Your session has ended. Sign in again.')).toBeVisible()
})

test('§7 what is changed elsewhere stands on open pages at once: profile, picture, apps, level', async ({
  house,
  open,
}) => {
  const owner = await open()
  await settle(house, owner, ana)
  const { client_id, developer_id } = await registerApp(owner)
  const member = await open()
  await settle(house, member, bor)
  const { link } = done(await owner.call(members.inviteMember, { email: bor.email, permission: 'developer' }))
  done(await member.call(invitations.acceptInvitation, { token: link.split('/').at(-1) ?? '' }))
  const { id = '' } = done(await owner.call(members.listMembers)).find(({ user }) => user?.email === bor.email) ?? {}

  // One page stays as it is; all else is done elsewhere.
  const { page } = member
  const see = async (address: string) => {
    const opened = connected(page)
    await page.goto(address)
    await opened
  }

  await see('/applications')
  const who = page.getByRole('button', { name: /^Accounts/ }).first()
  await expect(who).toContainText('Bor Horvat')
  done(await member.call(account.updateAccount, { first_name: 'Borut' }))
  await expect(who).toContainText('Borut Horvat')
  await expect(who.locator('img[src*="/media/"]')).toHaveCount(0)
  const answer = await member.context.request.put('/v1/account/profile-picture', {
    headers: { origin: house.url },
    multipart: { profile_picture: { name: 'me.png', mimeType: 'image/png', buffer: await halves('png') } },
  })
  expect(answer.status()).toBe(200)
  await expect(who.locator('img[src*="/media/"]')).toBeVisible()

  done(await member.call(connections.putConsent, { client: client_id, scopes: ['openid', 'profile'] }))
  const app = page.getByRole('link', { name: /^Jadrolet/ })
  await expect(app).toBeVisible()
  done(await member.call(connections.removeConnection, { client: client_id }))
  await expect(app).toBeHidden()

  await see(`/developers/${developer_id}/applications`)
  const register = page.getByRole('button', { name: 'Register an app' })
  await expect(register).toBeVisible()
  done(await owner.call(members.changeLevel, { id, permission: 'member' }))
  await expect(register).toBeHidden()
  await expect(app).toBeVisible()
  done(await owner.call(members.removeMember, { id }))
  await expect(page).not.toHaveURL(new RegExp(developer_id))
})

test('§9 a lost connection is told of, and heals by itself with what was missed', async ({ house, open }) => {
  const visitor = await open({ allow: /ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET/ })
  await settle(house, visitor, ana)
  const { page } = visitor
  await page.clock.install()
  const opened = connected(page)
  await page.goto('/your-info')
  await opened
  const lost = page.getByRole('status').filter({ hasText: 'The connection is lost.' })

  await house.crash()
  await later(page, () => expect(lost).toBeVisible({ timeout: 500 }))

  await house.restart()
  const elsewhere = await open()
  done(await elsewhere.call(auth.login, signIn))
  done(await elsewhere.call(account.updateAccount, { first_name: 'Anica' }))
  await later(page, () => expect(lost).toBeHidden({ timeout: 500 }))
  await expect(page.getByRole('link', { name: /^Name/ })).toContainText('Anica Kovač')
})
