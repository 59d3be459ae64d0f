import { connections, members } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { ana, bor, cvetka, drago } = people

test('a person who uses the keyboard goes on from the row whose sheet has changed it', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const owner = await open()
  await signUpConfirmed(server, owner, ana)
  const { page, call } = owner
  const { client_id, developer_id } = await registerApp(owner)
  const user = await openWithoutPage()
  await signUpConfirmed(server, user, cvetka)
  dataOf(await user.call(connections.submitConsent, { client: client_id, scopes: ['openid', 'profile'] }))
  for (const { email } of [bor, drago]) dataOf(await call(members.inviteMember, { email }))
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).press('Enter')

  await test.step('an invitation that was sent again, which replaces it', async () => {
    await page.goto(`/developers/${developer_id}/members`)
    const invitation = page.getByRole('button', { name: bor.email })
    await invitation.press('Enter')
    await press('Resend')
    await press('Done')
    await expect(dialog).toHaveCount(0)
    await expect(invitation).toBeFocused()
  })

  await test.step('an invitation that was withdrawn, whose row is gone', async () => {
    await page.getByRole('button', { name: bor.email }).press('Enter')
    await press('Withdraw')
    await page
      .getByRole('dialog', { name: 'Withdraw this invitation?' })
      .getByRole('button', { name: 'Withdraw' })
      .press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: bor.email })).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Invitations' })).toBeFocused()
  })

  await test.step('a user who was blocked', async () => {
    await page.goto(`/developers/${developer_id}/user-management`)
    const row = page.getByRole('button', { name: 'Cvetka Zajc' })
    await row.press('Enter')
    await press('Block Cvetka Zajc')
    await page
      .getByRole('dialog', { name: 'Block this person?' })
      .getByRole('button', { name: 'Block', exact: true })
      .press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('row').filter({ hasText: 'Blocked' })).toBeVisible()
    await expect(row).toBeFocused()
  })
})
