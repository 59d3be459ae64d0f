import type { ElementHandle, Locator, Page } from '@playwright/test'
import { connections, groups, members, signIn } from '@vrata/contract'
import { people, studio } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { registerApp, signUpConfirmed, signUpOperator, UNKNOWN_ID } from '../accounts.ts'
import { expect, test, visit } from '../fixtures.ts'

const { ana, bor, cvetka } = people

test('the user area works with the keyboard only: Tab reaches every element, and focus returns after a dialog closes', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  dataOf(await (await openWithoutPage()).call(signIn.login, { username: cvetka.email, password: cvetka.password }))

  // Other journeys load the documents of these screens.
  await page.goto('/home')
  for (const path of [
    '/home',
    '/your-info',
    '/privacy/activity',
    '/privacy/settings',
    '/privacy/request-data',
    '/security',
    '/security/change-password',
    '/security/passkeys',
    '/security/two-factor-authentication',
    '/devices',
    '/applications',
  ]) {
    await visit(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main').getByRole('status', { name: /Loading/ })).toHaveCount(0)
    expect(await unreachableByTab(page), `${path}: elements that Tab does not reach`).toEqual([])
  }

  // The first link skips the menu.
  await page.goto('/devices')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)

  await expectFocusTrap(page, '/devices', 'button', 'Sign out everywhere else', 'Sign out everywhere else?')
  await expectFocusTrap(page, '/your-info', 'link', /^Name/, 'Name')
  await expectFocusTrap(page, '/privacy/settings', 'button', 'Delete account', /Delete/)

  // The username is changed from the menu to the saved field without a mouse.
  await page.goto('/home')
  await tabTo(page, page.getByRole('link', { name: 'Your info' }).first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/your-info')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: /^Username/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('cvetka.z')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('link', { name: /^Username.*cvetka\.z/ })).toBeVisible()
})

test('the developer area works with the keyboard only, and irreversible actions ask first', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const visitor = await open()
  await signUpConfirmed(server, visitor, ana)
  const { page } = visitor
  const { client_id, developer_id } = await registerApp(visitor, 'http://localhost:4000/callback')
  const user = await openWithoutPage()
  await signUpConfirmed(server, user, cvetka)
  dataOf(await user.call(connections.submitConsent, { client: client_id, scopes: ['openid', 'profile'] }))
  dataOf(await visitor.call(members.inviteMember, { email: bor.email }))

  const pathOf = (path: string) => `/developers/${developer_id}/${path}`
  // Other journeys load the documents of the other screens.
  await page.goto(pathOf('settings/activity'))
  for (const path of ['settings/activity', 'applications', 'user-management', 'members', 'settings']) {
    await visit(page, pathOf(path))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main').getByRole('status', { name: /Loading/ })).toHaveCount(0)
    expect(await unreachableByTab(page), `${path}: elements that Tab does not reach`).toEqual([])
  }

  const app = pathOf(`applications/${client_id}`)
  await expectFocusTrap(page, `${app}/details`, 'button', 'Delete', /^Delete/)
  await expectFocusTrap(page, `${app}/development`, 'button', /^Remove http/, /^Remove/)
  await expectFocusTrap(page, pathOf('user-management'), 'button', 'Cvetka Zajc', 'Cvetka Zajc')
  await expectFocusTrap(page, pathOf('members'), 'button', 'Leave the organization', /owner|Leave/)
  await expectFocusTrap(page, pathOf('settings'), 'button', 'Delete', /^Delete/)
})

test('the operator area works with the keyboard only, from the menu to a person who is helped', async ({
  server,
  open,
  openWithoutPage,
}) => {
  test.slow()
  const operator = await open()
  await signUpOperator(server, operator, ana)
  await signUpConfirmed(server, await openWithoutPage(), bor)
  const { page, call } = operator
  await registerApp(operator)
  dataOf(await call(groups.createGroup, { key: 'staff', name: 'Staff' }))

  for (const path of [
    'overview',
    'people',
    'organizations',
    'apps',
    'groups',
    'operators',
    'sign-in',
    'look',
    'audit',
    'system',
  ]) {
    await page.goto(`/admin/${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main').getByRole('status', { name: /Loading/ })).toHaveCount(0)
    expect(await unreachableByTab(page), `${path}: elements that Tab does not reach`).toEqual([])
  }

  // Pages of one thing and of nothing say where they are, as lists do.
  for (const [list, name] of [
    ['organizations', studio.name],
    ['groups', 'Staff'],
  ] as const) {
    await page.goto(`/admin/${list}`)
    await tabTo(page, page.getByRole('main').getByRole('link', { name }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  }
  for (const [list, heading] of [
    ['people', 'This person does not exist'],
    ['organizations', 'This organization does not exist'],
    ['groups', 'This group does not exist'],
  ] as const) {
    await visit(page, `/admin/${list}/${UNKNOWN_ID}`)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
  }

  await expectFocusTrap(page, '/admin/people', 'button', 'Add a person', 'Add a person')
  await expectFocusTrap(page, '/admin/sign-in', 'button', /^Who may create an account/, 'Who may create an account')

  // A person is found and disabled without a mouse.
  await page.goto('/admin/overview')
  await tabTo(page, page.getByRole('link', { name: 'People' }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeFocused()
  await tabTo(page, page.getByLabel('Search people'))
  await page.keyboard.type('horvat')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/admin/people?query=horvat')
  await tabTo(page, page.getByRole('link', { name: 'Bor Horvat' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Bor Horvat' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Disable the account' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Lost laptop')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Lost laptop')).toBeVisible()
})

/** Opens a dialog by Enter. Expects that focus stays inside, and that Escape closes it and returns focus to its opener. */
async function expectFocusTrap(
  page: Page,
  path: string,
  role: 'button' | 'link',
  name: string | RegExp,
  title: string | RegExp,
) {
  await visit(page, path)
  const opener = page.getByRole('main').getByRole(role, { name })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  const element = await foundOnce(dialog)
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press(stop % 3 === 2 ? 'Shift+Tab' : 'Tab')
    // Focus guards at both ends of the dialog move focus asynchronously.
    await expect.poll(() => element.evaluate((node) => node.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}

/** Presses Tab until `target` has focus. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  const element = await foundOnce(target)
  for (let stop = 0; stop < 60; stop++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** A locator computes roles and names of the whole page at each use, which takes longer than a key. */
async function foundOnce(target: Locator): Promise<ElementHandle> {
  const element = await target.elementHandle()
  if (!element) throw new Error(`There is no ${target}`)
  return element
}

/** Presses Tab through the whole page; returns the visible interactive elements that never had focus. */
async function unreachableByTab(page: Page): Promise<string[]> {
  const stops = await page.evaluate(() => {
    const interactive = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'
    const all = [...document.querySelectorAll<HTMLElement>(interactive)].filter(
      (node) => node.tabIndex >= 0 && node.checkVisibility({ visibilityProperty: true }) && !node.closest('[inert]'),
    )
    for (const [index, node] of all.entries()) node.dataset.stop = String(index)
    document.addEventListener('focusin', ({ target: node }) => {
      // Tab stops at one radio button of a group.
      const group =
        node instanceof HTMLInputElement && node.type === 'radio' ? document.getElementsByName(node.name) : []
      for (const reached of [node as HTMLElement, ...group]) reached.removeAttribute('data-stop')
    })
    return all.length
  })
  for (let stop = 0; stop < stops + 5; stop++) await page.keyboard.press('Tab')
  return await page.evaluate(() =>
    [...document.querySelectorAll('[data-stop]')].map((node) => node.outerHTML.slice(0, 120)),
  )
}
