import { developers, members } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { tokenIn } from '../../testing/mail.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, PHONE, test, type Visitor, visit } from '../fixtures.ts'

const { ana, bor, cvetka, drago } = people

async function openMembers({ page }: Visitor, developer_id: string) {
  await page.goto(`/developers/${developer_id}/members`)
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible()
}

test('members are invited by mail and link, join, change levels, are removed, and leave', async ({ server, open }) => {
  test.slow()
  const owner = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page } = owner
  await signUpConfirmed(server, owner, ana)
  const { developer_id } = await registerApp(owner)

  await test.step('the only owner cannot leave', async () => {
    await openMembers(owner, developer_id)
    await expect(page.getByText('No other members yet')).toBeVisible()
    await page.getByRole('button', { name: 'Leave the organization' }).click()
    await expect(page.getByRole('dialog', { name: 'You are the only owner' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  const link = await test.step('the invitation link is shown once and mailed', async () => {
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(bor.email)
    await dialog.getByLabel('Level').selectOption('Developer')
    await expect(dialog.getByText('Create and edit apps')).toBeVisible()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(dialog.getByText('This link is shown only now')).toBeVisible()
    await dialog.getByRole('button', { name: 'Link' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(await server.mailedLink(bor.email, '/accept-invitation/'))
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('button', { name: bor.email })).toBeVisible()
    return copied
  })

  await test.step('an email cannot be invited twice', async () => {
    await page.getByRole('button', { name: 'Invite someone' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill(bor.email)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await expect(dialog.getByText('This address has already been invited')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  const newcomer = await open()
  await test.step('a new user opens the link, signs up with the filled-in email, and joins', async () => {
    const { page } = newcomer
    await page.goto(link)
    await expect(
      page.getByRole('heading', { name: `You are invited to the organization ${studio.name}` }),
    ).toBeVisible()
    await expect(page.getByText('Invited by Ana Kovač. Level: Developer.')).toBeVisible()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(bor.email)
    await page.getByLabel('First name').fill(bor.first_name)
    await page.getByLabel('Last name').fill(bor.last_name)
    await page.getByLabel('Password', { exact: true }).fill(bor.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
    const tab = await newcomer.context.newPage()
    await tab.goto(await server.mailedLink(bor.email, '/confirm-email/'))
    await tab.getByRole('button', { name: 'Confirm email' }).click()
    await expect(tab.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()
    await tab.close()
    await page.getByRole('button', { name: 'Join' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()
    await expect(page.getByText(`You are now a member of the organization ${studio.name}.`)).toBeVisible()
  })

  await test.step('a developer sees the members but no actions on them', async () => {
    const { page } = newcomer
    await openMembers(newcomer, developer_id)
    await expect(page.getByText('Ana Kovač')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Invite someone' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: /Ana Kovač/ })).toHaveCount(0)
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'This invitation was already accepted' })).toBeVisible()
  })

  await test.step('a level that was changed meanwhile is not changed before it is seen', async () => {
    await openMembers(owner, developer_id)
    await page.getByRole('button', { name: /Bor Horvat/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Level')).toHaveValue('developer')
    const list = dataOf(await owner.call(members.listMembers))
    const { id = '' } = list.find(({ user }) => user.email === bor.email) ?? {}
    dataOf(await owner.call(members.changeLevel, { id, permission: 'analyst' }))
    await dialog.getByLabel('Level').selectOption('Admin')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Someone else has decided this in the meantime')).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('an owner raises the level of a member', async () => {
    await openMembers(owner, developer_id)
    await page.getByRole('button', { name: /Bor Horvat/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Level').selectOption('Owner')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Level changed.')).toBeVisible()
    await expect(page.getByRole('button', { name: /Bor Horvat.*Owner/ })).toBeVisible()
  })

  await test.step('an owner lowers their own level and leaves', async () => {
    await page.getByRole('button', { name: /Ana Kovač/ }).click()
    await page.getByRole('dialog').getByLabel('Level').selectOption('Admin')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Lower my level' }).click()
    await expect(page.getByRole('button', { name: /Bor Horvat/ })).toHaveCount(0)
    const refused: string[] = []
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
    await page.getByRole('button', { name: 'Leave the organization' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByText('You have left the organization.')).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
    // The page that is left reads nothing of the organization any more.
    expect(refused).toEqual([])
    await page.goto(`/developers/${developer_id}/members`)
    await expect(page.getByText('You no longer have access to this developer account.')).toBeVisible()
  })

  await test.step('a user accepts an invitation on the home page and is removed', async () => {
    dataOf(await newcomer.call(members.inviteMember, { email: ana.email }))
    await page.goto('/home')
    const card = page.getByRole('region', { name: 'Invitations waiting for you' })
    await expect(card).toContainText(studio.name)
    await card.getByRole('button', { name: /Join/ }).click()
    await expect(page.getByText(`You are now a member of the organization ${studio.name}.`)).toBeVisible()
    await expect(card).toHaveCount(0)

    await openMembers(newcomer, developer_id)
    await newcomer.page.getByRole('button', { name: /Ana Kovač/ }).click()
    await newcomer.page.getByRole('dialog').getByRole('button', { name: 'Remove from the organization' }).click()
    await expect(newcomer.page.getByText('Ana Kovač immediately loses access')).toBeVisible()
    await newcomer.page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(newcomer.page.getByText('Member removed.')).toBeVisible()
    await expect(newcomer.page.getByRole('button', { name: /Ana Kovač/ })).toHaveCount(0)
  })
})

test('an invitation page explains invalid, replaced, declined and withdrawn links and a wrong account', async ({
  server,
  open,
}) => {
  test.slow()
  const owner = await open()
  await signUpConfirmed(server, owner, ana)
  const { developer_id } = await registerApp(owner)
  const guest = await open()
  await signUpConfirmed(server, guest, cvetka)
  const { page } = guest
  const invite = async () => dataOf(await owner.call(members.inviteMember, { email: cvetka.email }))
  const expectTitle = (name: string) => expect(page.getByRole('heading', { name })).toBeVisible()

  await page.goto('/accept-invitation/nonsense')
  await expectTitle('This link is not valid')

  const first = await invite()
  const second = dataOf(await owner.call(members.resendInvitation, { id: first.id }))
  await page.goto(first.link)
  await expectTitle('There is a newer link')
  await page.goto(second.link)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
  await expectTitle('This invitation was declined')

  await openMembers(owner, developer_id)
  await expect(owner.page.getByText('Declined')).toBeVisible()
  await owner.page.getByRole('button', { name: cvetka.email }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect(owner.page.getByText('This link is shown only now')).toBeVisible()
  const link = await owner.page.getByRole('dialog').locator('code').innerText()
  await owner.page.getByRole('button', { name: 'Done' }).click()

  const otherUser = await open()
  await signUpConfirmed(server, otherUser, drago)
  await otherUser.page.goto(link)
  await expect(otherUser.page.getByText(`This invitation is for ${cvetka.email}`)).toBeVisible()
  await otherUser.page.getByRole('link', { name: 'Use another account' }).click()
  await expect(otherUser.page).toHaveURL(/\/login/)
  await otherUser.page
    .getByRole('button', { name: 'Use another account' })
    .click()
    .catch(() => {})
  await otherUser.page.getByLabel('Email or username').fill(cvetka.email)
  await otherUser.page.getByLabel('Password', { exact: true }).fill(cvetka.password)
  await otherUser.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(otherUser.page.getByRole('button', { name: 'Join' })).toBeVisible()

  await owner.page.getByRole('button', { name: cvetka.email }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Withdraw this invitation?' })
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(owner.page.getByText('Invitation withdrawn.')).toBeVisible()
  await otherUser.page.getByRole('button', { name: 'Join' }).click()
  await expect(otherUser.page.getByRole('heading', { name: 'This invitation was withdrawn' })).toBeVisible()

  const visitor = await open({ ...PHONE })
  const last = await invite()
  await visitor.page.goto(last.link)
  await visitor.page.getByRole('link', { name: 'Sign in' }).click()
  await expect(visitor.page.getByLabel('Email or username')).toHaveValue(cvetka.email)
})

test('the only owner of an organization with members appoints another one before deleting the account', async ({
  server,
  open,
}) => {
  const owner = await open()
  await signUpConfirmed(server, owner, ana)
  const { developer_id } = await registerApp(owner)
  const other = await open()
  await signUpConfirmed(server, other, bor)
  const { link } = dataOf(await owner.call(members.inviteMember, { email: bor.email }))
  await other.page.goto(link)
  await other.page.getByRole('button', { name: 'Join' }).click()
  await expect(other.page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()

  const { page } = owner
  await page.goto('/privacy/settings')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog').getByRole('link', { name: studio.name }).click()
  await expect(page).toHaveURL(new RegExp(`/developers/${developer_id}/members$`))
  await page.getByRole('button', { name: /Bor Horvat/ }).click()
  await page.getByRole('dialog').getByLabel('Level').selectOption('Owner')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Level changed.')).toBeVisible()
  await page.goto('/privacy/settings')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
  expect(await other.call(developers.getDeveloper)).toMatchObject({ data: { permission: 'owner' } })
})

test('the filter of the members is in the address and stays on reload', async ({ server, open }) => {
  test.slow()
  const owner = await open()
  const { page } = owner
  await signUpConfirmed(server, owner, ana)
  const { developer_id } = await registerApp(owner)
  // The search appears with more than six members.
  for (let n = 1; n <= 6; n += 1) {
    const member = { ...bor, email: `bor-${n}@example.com`, last_name: `Horvat ${n}` }
    const visitor = await open()
    await signUpConfirmed(server, visitor, member)
    dataOf(await owner.call(members.inviteMember, { email: member.email, permission: n < 3 ? 'analyst' : 'member' }))
    const token = tokenIn(await server.mailedLink(member.email, '/accept-invitation/'))
    dataOf(await visitor.call(members.acceptInvitation, { token }))
    await visitor.context.close()
  }
  await openMembers(owner, developer_id)
  const list = page.getByRole('list', { name: 'Members' }).getByRole('listitem')
  await expect(list).toHaveCount(7)
  await page.getByLabel('Level', { exact: true }).selectOption('Analyst')
  await expect(list).toHaveCount(2)
  const search = page.getByRole('main').getByRole('searchbox')
  await search.fill('horvat 2')
  await expect(list).toHaveCount(1)
  await expect(page).toHaveURL(/query=horvat.2.*permission=analyst|permission=analyst.*query=horvat.2/)
  await page.reload()
  await expect(list).toHaveCount(1)
  await expect(list).toContainText('Horvat 2')
  await expect(search).toHaveValue('horvat 2')
  await search.fill('')
  await expect(list).toHaveCount(2)
})

test('a search of members that fails says so, and does not show all of them', async ({ server, open }) => {
  const visitor = await open({ allow: /ERR_FAILED/ })
  await signUpConfirmed(server, visitor, ana)
  const { developer_id } = await registerApp(visitor)
  const { page } = visitor
  await openMembers(visitor, developer_id)
  await page.route('**/v1/developer/members?*', (route) => route.abort())
  await visit(page, `/developers/${developer_id}/members?query=nobody`)
  await expect(page.getByText('The members could not be loaded')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Members' })).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  // The filter can be removed, although there are too few members to offer one.
  await page.getByRole('main').getByRole('searchbox').fill('')
  await expect(page.getByRole('list', { name: 'Members' }).getByRole('listitem')).toHaveCount(1)
})
