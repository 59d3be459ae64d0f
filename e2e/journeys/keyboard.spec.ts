import type { Page } from '@playwright/test'
import { auth, connections, members } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana, bor, cvetka } = people

test('the user area by the keyboard alone: every stop is seen, and a closed question leads back to what asked it', async ({
  house,
  open,
}) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, cvetka)
  const { page } = visitor
  done(await (await open()).call(auth.login, { username: cvetka.email, password: cvetka.password }))

  for (const path of [
    '/home',
    '/your-info',
    '/privacy/activity',
    '/privacy/settings',
    '/privacy/request-data',
    '/security/change-password',
    '/security/two-factor-authentication',
    '/devices',
    '/applications',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await unreached(page), `${path}: what the Tab key does not come to`).toEqual([])
  }

  // The first stop leads past the menu.
  await page.goto('/devices')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)

  await question(page, '/devices', 'button', 'Sign out everywhere else', 'Sign out everywhere else?')
  await question(page, '/your-info', 'link', /^Name/, 'Name')
  await question(page, '/privacy/settings', 'button', 'Delete account', /Delete/)

  // Something is done without a mouse: the name, from the menu to the saved field.
  await page.goto('/home')
  await reach(page, page.getByRole('link', { name: 'Your info' }).first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/your-info')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await reach(page, page.getByRole('link', { name: /^Username/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type('cvetka.z')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('link', { name: /^Username.*cvetka\.z/ })).toBeVisible()
})

test('the developer area by the keyboard alone, and what cannot be undone asks first', async ({ house, open }) => {
  test.slow()
  const visitor = await open()
  await settle(house, visitor, ana)
  const { page } = visitor
  const { client_id, developer_id } = await registerApp(visitor, 'http://localhost:4000/callback')
  const user = await open()
  await settle(house, user, cvetka)
  done(await user.call(connections.putConsent, { client: client_id, scopes: ['openid', 'profile'] }))
  done(await visitor.call(members.inviteMember, { email: bor.email }))

  const at = (path: string) => `/developers/${developer_id}/${path}`
  for (const path of ['applications', 'user-management', 'members', 'settings', 'settings/activity']) {
    await page.goto(at(path))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main').getByRole('status', { name: /Loading/ })).toHaveCount(0)
    expect(await unreached(page), `${path}: what the Tab key does not come to`).toEqual([])
  }

  const app = at(`applications/${client_id}`)
  await question(page, `${app}/details`, 'button', 'Delete', /^Delete/)
  await question(page, `${app}/development`, 'button', /^Remove http/, /^Remove/)
  await question(page, at('user-management'), 'button', 'Block Cvetka Zajc', 'Block this person?')
  await question(page, at('members'), 'button', 'Leave the organization', /owner|Leave/)
  await question(page, at('settings'), 'button', 'Delete', /^Delete/)
})

/** Opens a question by Enter: focus is inside and stays there; Escape closes it, and focus is where it was. */
async function question(
  page: Page,
  path: string,
  role: 'button' | 'link',
  name: string | RegExp,
  title: string | RegExp,
) {
  await page.goto(path)
  const opener = page.getByRole('main').getByRole(role, { name })
  await reach(page, opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog).toBeVisible()
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press(stop % 3 === 2 ? 'Shift+Tab' : 'Tab')
    // A guard at either end hands focus on to the other one.
    await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}

async function reach(page: Page, wanted: ReturnType<Page['getByRole']>) {
  await expect(wanted).toBeVisible()
  for (let stop = 0; stop < 60; stop++) {
    if (await wanted.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not come to ${wanted}`)
}

/** Walks through the whole page; answers what can be pressed or filled in, is visible, and was no stop with a ring. */
async function unreached(page: Page): Promise<string[]> {
  const stops = await page.evaluate(() => {
    const able = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'
    const all = [...document.querySelectorAll<HTMLElement>(able)].filter(
      (node) => node.tabIndex >= 0 && node.checkVisibility({ visibilityProperty: true }) && !node.closest('[inert]'),
    )
    for (const [at, node] of all.entries()) node.dataset.stop = String(at)
    return all.length
  })
  for (let stop = 0; stop < stops + 5; stop++) {
    await page.keyboard.press('Tab')
    await page.evaluate(() => {
      const node = document.activeElement as HTMLElement | null
      // One of a group of radio buttons stands for all of them.
      const group =
        node instanceof HTMLInputElement && node.type === 'radio' ? document.getElementsByName(node.name) : []
      for (const one of [node, ...group]) one?.removeAttribute('data-stop')
    })
  }
  return await page.evaluate(() =>
    [...document.querySelectorAll('[data-stop]')].map((node) => node.outerHTML.slice(0, 120)),
  )
}
