import { readFile } from 'node:fs/promises'
import { account, adminOrganizations, policy } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { enableOtp, registerApp, signUp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { ana, bor, cvetka, drago } = people

test('the first operator opens the printed link, helps a person, and finds it in the audit log', async ({
  server,
  open,
}) => {
  test.slow()
  const { page, ...operator } = await open()
  const person = await open()
  await signUpConfirmed(server, person, bor)
  const stranger = await open(PHONE)

  await test.step('the link asks for a protected account and then works once', async () => {
    const link = await server.setupLink()
    await signUpConfirmed(server, operator, ana)
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'First protect your account' })).toBeVisible()
    await enableOtp(operator)
    await page.goto(link)
    await page.getByRole('button', { name: 'Become the administrator' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'This installation' })).toBeVisible()
    await page.getByRole('link', { name: 'Do this later' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
    await page.getByRole('link', { name: 'Continue setting up' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'This installation' })).toBeVisible()
    await page.getByRole('link', { name: 'Do this later' }).click()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByRole('heading', { name: 'Setting up is not finished' })).toBeHidden()
    await page.goto(link)
    await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the administration' })).toBeVisible()
    await person.page.goto(link)
    await person.page.getByRole('link', { name: 'Home', exact: true }).click()
    await expect(person.page).toHaveURL('/home')
  })

  await test.step('half an address finds the person', async () => {
    await page.goto('/home')
    await page.getByRole('link', { name: 'Administration' }).click()
    await expect(page.getByRole('heading', { name: 'Sign-ins' })).toBeVisible()
    await checkAccessibility(page, 'overview')
    await signUp(stranger, drago)
    await page.getByRole('link', { name: 'People' }).first().click()
    await expect(page.getByRole('link', { name: 'Ana Kovač' })).toBeVisible()
    await checkAccessibility(page, 'people, one with an unconfirmed address')
    await page.getByLabel('Search people').fill(bor.email.slice(0, 6))
    await expect(page.getByRole('link', { name: 'Ana Kovač' })).toBeHidden()
    await checkAccessibility(page, 'people')
    await page.getByRole('link', { name: 'Bor Horvat' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Bor Horvat' })).toBeVisible()
    await checkAccessibility(page, 'person')
  })

  await test.step('a disabled person is signed out and reads the reason', async () => {
    const reason = 'Somebody else used your account. Please call us.'
    await page.getByRole('button', { name: 'Disable the account' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toHaveAccessibleName('Disable the account Bor Horvat?')
    await dialog.getByLabel('Reason that the person reads').fill(reason)
    await dialog.getByRole('button', { name: 'Disable the account' }).click()
    await expect(page.getByText(reason)).toBeVisible()
    await person.page.goto('/home')
    await person.page.getByLabel('Email or username').fill(bor.email)
    await person.page.getByLabel('Password', { exact: true }).fill(bor.password)
    await person.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(person.page.getByText(`This account is disabled. ${reason}`)).toBeVisible()
    await page.getByRole('button', { name: 'Enable the account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enable the account' }).click()
    await expect(page.getByRole('button', { name: 'Disable the account' })).toBeVisible()
  })

  await test.step('another operator is added and changed', async () => {
    await page.getByRole('link', { name: 'Operators' }).first().click()
    await page.getByRole('button', { name: 'Add an operator' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email').fill('nobody@example.com')
    await dialog.getByLabel('Role').selectOption('Support')
    await dialog.getByRole('button', { name: 'Add an operator' }).click()
    await expect(dialog.getByText('No account has this confirmed address.')).toBeVisible()
    await dialog.getByLabel('Email').fill(bor.email)
    await dialog.getByRole('button', { name: 'Add an operator' }).click()
    await expect(page.getByRole('button', { name: 'Bor Horvat' })).toContainText('Cannot be used yet')
    await checkAccessibility(page, 'operators')
  })

  await test.step('a group is created, and a person put into it', async () => {
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await page.getByRole('button', { name: 'Create a group' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Staff')
    await dialog.getByLabel('Key').fill('staff')
    await dialog.getByRole('button', { name: 'Create a group' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible()
    await page.getByRole('button', { name: 'Add a person' }).click()
    await dialog.getByLabel('Email, username or ID').fill('nobody@example.com')
    await dialog.getByRole('button', { name: 'Add a person' }).click()
    await expect(dialog.getByText('No account matches.')).toBeVisible()
    await dialog.getByLabel('Email, username or ID').fill(bor.email)
    await dialog.getByRole('button', { name: 'Add a person' }).click()
    await expect(page.getByRole('button', { name: 'Remove Bor Horvat from the group' })).toBeVisible()
    await checkAccessibility(page, 'group')
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await page.getByLabel('Search groups').fill('nothing like it')
    await expect(page.getByText('Nothing found')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Search groups')).toHaveValue('nothing like it')
    await page.getByLabel('Search groups').fill('')
    await expect(page.getByRole('link', { name: 'Staff' })).toContainText('1 member')
    await checkAccessibility(page, 'groups')
  })

  await test.step('only people of a domain may join, and the registration page follows', async () => {
    await page.getByRole('link', { name: 'Sign-in' }).first().click()
    await page.getByRole('button', { name: 'Who may create an account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who may create an account').selectOption('Addresses of some domains')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('This field is required.')).toBeVisible()
    await dialog.getByLabel('Domains').fill('palaca.example')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Only people with an address of palaca.example')).toBeVisible()
    await page.getByRole('button', { name: 'Apps of one organization' }).click()
    await dialog.getByLabel('Apps of one organization').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('This field is required.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Passkey', { exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('people have another way to sign in')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByRole('switch', { name: /^Passkey/ })).not.toBeChecked()
    await checkAccessibility(page, 'sign-in policy')

    const visitor = (await open()).page
    await visitor.goto('/register')
    await visitor.getByLabel('Email').fill('somebody@elsewhere.example')
    await visitor.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await visitor.getByRole('button', { name: 'Create account' }).click()
    await expect(visitor.getByText('accounts can’t be created with this address here')).toBeVisible()
    await visitor.goto('/login')
    await expect(visitor.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(visitor.getByRole('button', { name: 'passkey' })).toBeHidden()
    await page.getByRole('button', { name: 'Who may create an account' }).click()
    await page.getByRole('dialog').getByLabel('Who may create an account').selectOption('Anyone')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Everyone with an email address can create an account.')).toBeVisible()
  })

  await test.step('a test mail arrives, the signing keys are changed', async () => {
    await page.getByRole('link', { name: 'System' }).first().click()
    await page.getByRole('button', { name: 'Send a test email' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test email' }).click()
    await expect(page.getByText('The mail server has accepted the test email.')).toBeVisible()
    await page.getByRole('button', { name: 'Change the keys' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Change the keys' }).click()
    await expect(page.getByText('Signed before').first()).toBeVisible()
    await checkAccessibility(page, 'system')
  })

  await test.step('the configuration is downloaded; a document is applied once its changes are seen', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the document' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain('registration: open')
    const choose = async (text: string) => {
      const file = { name: 'vrata.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) }
      await page.locator('input[type=file]').setInputFiles(file)
    }
    await choose('branding:\n  accent: #006867\n')
    await expect(page.getByRole('alert')).toContainText('line 2, column 3')
    await checkAccessibility(page, 'a document that is not applied')
    await choose('policy: { activity_days: 365 }\ngroups: [{ key: readers, name: Readers }]\n')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('policy.activity_days')
    await expect(dialog).toContainText('As long as the account → 365')
    await checkAccessibility(page, 'changes of a document')
    await dialog.getByRole('button', { name: 'Apply the document' }).click()
    await expect(page.getByText('The document was applied.')).toBeVisible()
    await choose('groups: [{ key: readers }]\n')
    await expect(page.getByText('Nothing differs from the document.')).toBeVisible()
  })

  await test.step('everything is in the audit log', async () => {
    await page.getByRole('link', { name: 'Audit log' }).first().click()
    for (const event of [
      'Person added to a group',
      'Group created',
      'Operator added',
      'Policy changed',
      'Account enabled',
      'Account disabled',
    ])
      await expect(page.getByRole('listitem').filter({ hasText: event }).first()).toContainText('Ana Kovač')
    await expect(page.getByText('Who may create an account: Addresses of some domains → Anyone')).toBeVisible()
    await expect(page.getByText('State: open → dismissed')).toBeVisible()
    await checkAccessibility(page, 'audit log')
  })

  await test.step('a person who is no operator sees nothing of it', async () => {
    await stranger.page.goto('/admin/people')
    await expect(stranger.page).toHaveURL(/\/home$/)
    await stranger.page.getByRole('button', { name: 'More' }).click()
    await expect(stranger.page.getByRole('link', { name: 'Administration' })).toBeHidden()
  })
})

test('an operator without a second factor is led to one', async ({ server, open }) => {
  const first = await open()
  await signUpConfirmed(server, first, cvetka)
  await enableOtp(first)
  await first.page.goto(await server.setupLink())
  await first.page.getByRole('button', { name: 'Become the administrator' }).click()
  await first.page.getByRole('link', { name: 'Do this later' }).click()
  const second = await open()
  await signUpConfirmed(server, second, ana)
  await first.page.getByRole('link', { name: 'Operators' }).first().click()
  await first.page.getByRole('button', { name: 'Add an operator' }).click()
  await first.page.getByRole('dialog').getByLabel('Email').fill(ana.email)
  await first.page.getByRole('dialog').getByRole('button', { name: 'Add an operator' }).click()
  await expect(first.page.getByRole('button', { name: 'Ana Kovač' })).toBeVisible()
  await second.page.goto('/admin')
  await expect(second.page.getByRole('heading', { name: 'First protect your account' })).toBeVisible()
})

test('changes by others since a dialog was opened stay when an operator saves it', async ({ server, open }) => {
  const operator = await open()
  const { page } = operator
  await signUpOperator(server, operator, ana)
  const person = await open()
  await signUpConfirmed(server, person, bor)
  const { id } = dataOf(await person.call(account.getAccount))
  const { developer_id } = await registerApp(person)
  const dialog = page.getByRole('dialog')

  await test.step('the first name, which the person has changed', async () => {
    await page.goto(`/admin/people/${id}`)
    await page.getByRole('button', { name: 'Change name or address' }).click()
    await expect(dialog.getByLabel('First name')).toHaveValue(bor.first_name)
    dataOf(await person.call(account.updateAccount, { first_name: 'Boris' }))
    await dialog.getByLabel('Last name').fill('Novak')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Boris Novak' })).toBeVisible()
  })

  await test.step('registration that is closed, when only the domains are changed', async () => {
    dataOf(await operator.call(policy.updatePolicy, { registration: 'domains', registration_domains: ['example.com'] }))
    await page.goto('/admin/sign-in')
    const registration = page.getByRole('button', { name: 'Who may create an account' })
    await registration.click()
    await expect(dialog.getByLabel('Domains')).toHaveValue('example.com')
    dataOf(await operator.call(policy.updatePolicy, { registration: 'closed' }))
    await dialog.getByLabel('Domains').fill('example.com\nexample.org')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect(dataOf(await operator.call(policy.getPolicy))).toMatchObject({
      registration: 'closed',
      registration_domains: ['example.com', 'example.org'],
    })
    await expect(registration).toContainText('No one')
  })

  await test.step('the verification of an organization, which another administrator has given', async () => {
    await page.goto(`/admin/organizations/${developer_id}`)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await expect(dialog).toBeVisible()
    const input = { id: developer_id, verified: true }
    dataOf(await operator.call(adminOrganizations.updateAdminOrganization, input))
    // The largest that the call takes, and one more.
    await dialog.getByLabel('Maximum number of members').fill('100000')
    await dialog.getByLabel('Maximum number of apps').fill('100001')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toContainText('Enter a whole number, at most 100,000.')
    await dialog.getByLabel('Maximum number of apps').fill('7')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect(dataOf(await operator.call(adminOrganizations.getAdminOrganization, { id: developer_id }))).toMatchObject({
      verified: true,
      limits: { clients: 7, members: 100_000 },
    })
  })
})
