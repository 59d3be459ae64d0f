import { people } from '../../server/test/people.ts'
import { checkAccessibility } from '../accessibility.ts'
import { signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, socketOpened, test } from '../fixtures.ts'

const { ana, bor } = people

test('an organization and its app wait for an operator, whose pages and theirs follow each other', async ({
  server,
  open,
}) => {
  test.slow()
  const operator = await open()
  const { page: admin } = operator
  await signUpOperator(server, operator, ana)
  const founder = await open()
  const { page } = founder
  await signUpConfirmed(server, founder, bor)
  const decide = async (decision: string, reason = '', tab = admin) => {
    const dialog = tab.getByRole('dialog')
    await dialog.getByLabel('Approval').selectOption(decision)
    const field = dialog.getByLabel('Reason, if you do not approve')
    // A written reason for a rejection prevents an approval by mistake.
    if (decision === 'Do not approve') await field.fill(reason)
    else await expect(field).toBeHidden()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  }
  const rejectInAnotherTab = async () => {
    const tab = await admin.context().newPage()
    await tab.goto(admin.url())
    await tab.getByRole('button', { name: 'Decide' }).click()
    await decide('Do not approve', 'The name is taken.', tab)
    await tab.close()
  }

  await test.step('an administrator turns approval on', async () => {
    await admin.goto('/admin/sign-in')
    for (const [setting, value] of [
      ['Who may create an organization', 'Anyone, with approval'],
      ['Which new apps work', 'Approved ones'],
    ] as const) {
      await admin.getByRole('button', { name: setting }).click()
      await admin.getByRole('dialog').getByLabel(setting).selectOption(value)
      await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await expect(admin.getByRole('button', { name: setting })).toContainText(value)
    }
    const connected = socketOpened(admin)
    await admin.goto('/admin')
    await connected
  })

  await test.step('a new organization waits, and can be edited meanwhile', async () => {
    const connected = socketOpened(page)
    await page.goto('/developers?create=true')
    await connected
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('An operator approves it before it can have apps and members.')
    await dialog.getByLabel('Name').fill('Burja')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Register an app' })).toBeHidden()
    await checkAccessibility(page, 'waiting organization')
    const tab = await founder.context.newPage()
    for (const list of ['/developers', '/home']) {
      await tab.goto(list)
      await expect(tab.getByRole('link', { name: 'Burja Owner · Waiting for approval' })).toBeVisible()
    }
    await tab.close()
    await page.getByRole('button', { name: /^Accounts: Burja/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Burja Owner · Waiting for approval' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the open page of the operator counts it; the approval opens it without a reload', async () => {
    await expect(admin.getByRole('link', { name: 'Organizations 1 waits for approval' })).toBeVisible()
    await admin.getByRole('link', { name: '1 organization' }).click()
    await expect(admin).toHaveURL(/status=pending/)
    await admin.getByRole('link', { name: 'Burja' }).click()
    await expect(admin.getByRole('heading', { level: 1, name: 'Burja' })).toBeVisible()
    await checkAccessibility(admin, 'organization to decide about')
    await admin.getByRole('button', { name: 'Decide' }).click()
    await rejectInAnotherTab()
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toContainText('Someone else has decided this in the meantime.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(admin.getByText('Reason: The name is taken.')).toBeVisible()
    await admin.getByRole('button', { name: 'Decide' }).click()
    await decide('Approve')
    await expect(admin.getByRole('link', { name: 'Organizations', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Register an app' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Waiting for approval' })).toBeHidden()
  })

  await test.step('its app is rejected with a reason, changed, submitted again and approved', async () => {
    await page.getByRole('button', { name: 'Register an app' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Jadrolet')
    await dialog.getByRole('button', { name: 'Register', exact: true }).click()
    await dialog.getByRole('button', { name: 'Open the app' }).click()
    await expect(page.getByText('people can’t sign in')).toBeVisible()
    await admin.getByRole('link', { name: 'Apps 1 waits for approval' }).click()
    await admin.getByRole('button', { name: 'Jadrolet' }).click()
    await decide('Do not approve', 'Say what it is for.')
    await expect(page.getByText('Reason: Say what it is for.')).toBeVisible()
    await checkAccessibility(page, 'rejected app')
    await page.getByRole('button', { name: 'Ask again' }).click()
    await expect(page.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible()
    await admin.getByRole('button', { name: /Jadrolet.*Waiting for approval/ }).click()
    await decide('Approve')
    await expect(page.getByText('Enabled', { exact: true })).toBeVisible()
    // The dialog says first what revoking the approval does.
    await admin.getByRole('button', { name: 'Jadrolet' }).click()
    await expect(
      admin.getByRole('dialog', { name: 'Change Jadrolet' }).getByLabel('Approval'),
    ).toHaveAccessibleDescription('Without approval, sign-ins and tokens end at once, and nobody can sign in.')
  })
})
