import { connections, members, operators, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { enableOtp, registerApp, signUpConfirmed, signUpOperator } from '../accounts.ts'
import { expect, test, type Visitor } from '../fixtures.ts'

const { ana, bor, cvetka } = people

/** Longer than a line, where it must break. */
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff'

/** Words of Croatian are longer than those of English. */
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'hr-HR' }

test('pages of a person cut off nothing on a phone with text of twice the size', async ({ server, open }) => {
  const owner = await open()
  await signUpConfirmed(server, owner, bor)
  const { client_id } = await registerApp(owner)
  const visitor = await open(PHONE)
  await signUpConfirmed(server, visitor, { ...ana, last_name: LONG_NAME })
  dataOf(await owner.call(members.inviteMember, { email: ana.email, permission: 'admin' }))
  await visitor.page.goto('/home')
  await expect(visitor.page.getByRole('button', { name: 'Pridruži se' })).toBeVisible()
  await expectWhole(visitor, '/home')
  await expectWhole(visitor, `/oauth?client_id=${client_id}&scope=openid%20profile%20email`)
  for (const page of ['/your-info', '/privacy/activity', '/security', '/verify']) await expectWhole(visitor, page)
  // Another browser asks whether the person knows it.
  dataOf(await owner.call(signIn.login, { username: ana.email, password: ana.password }))
  await visitor.page.goto('/devices')
  await expect(visitor.page.getByRole('button', { name: 'Da, prepoznajem' })).toBeVisible()
  await expectWhole(visitor, '/devices')
})

test('pages of developers and operators cut off nothing on a phone with text of twice the size', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const visitor = await open(PHONE)
  await signUpOperator(server, visitor, bor)
  const unconfirmed = await open()
  await signUpConfirmed(server, unconfirmed, cvetka)
  await enableOtp(unconfirmed)
  dataOf(await visitor.call(operators.addOperator, { email: cvetka.email, role: 'support' }))
  const { client_id, developer_id } = await registerApp(visitor)
  const longest = { ...ana, email: 'ana.kovac.of.a.long.department@organization.example' }
  const user = await openWithoutPage()
  await signUpConfirmed(server, user, longest)
  dataOf(await user.call(connections.submitConsent, { client: client_id, scopes: ['openid', 'profile', 'email'] }))
  const area = `/developers/${developer_id}`
  const admin = ['overview', 'people', 'operators', 'sign-in', 'look', 'audit', 'system'].map(
    (page) => `/admin/${page}`,
  )
  const pages = ['members', 'settings', 'user-management', `applications/${client_id}/quick-start`]
  for (const page of [...admin, ...pages.map((page) => `${area}/${page}`)]) await expectWhole(visitor, page)
})

test('dialogs, the search and the account menu cut off nothing on a phone with text of twice the size', async ({
  server,
  open,
}) => {
  const visitor = await open(PHONE)
  const { page } = visitor
  await signUpConfirmed(server, visitor, bor)
  const { developer_id } = await registerApp(visitor)
  const dialog = page.getByRole('dialog')
  await page.goto(`/developers/${developer_id}/applications`)
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  await page.getByRole('button', { name: 'Registriraj aplikaciju' }).click()
  await expect(dialog.getByText('Jednostranična aplikacija')).toBeVisible()
  const beyond = () => dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect.soft(await beyond(), 'pixels beyond the right edge of the dialog').toBe(0)
  await dialog.getByRole('button', { name: 'Registriraj', exact: true }).click()
  const wrong = dialog.locator('[id$=-error]').first()
  await expect(wrong).toBeVisible()
  expect.soft(await wrong.evaluate(covered), 'the first error is behind the buttons').toBe(false)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(dialog.getByText('Upravljanje korisnicima')).toBeVisible()
  expect.soft(await page.evaluate(cutOff), 'search').toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: /Kraški studio/ }).click()
  await expect(page.getByText('Bor Horvat')).toBeVisible()
  expect.soft(await page.evaluate(cutOff), 'account menu').toEqual([])
})

/**
 * Expects that no text, and no button, of a page is cut off, that no button reaches beyond what it stands in, and that headings break
 * between words; titles of code excepted, which the code says itself.
 */
async function expectWhole({ page }: Visitor, path: string): Promise<void> {
  await page.goto(path)
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  expect.soft(await page.evaluate(cutOff), path).toEqual([])
  expect.soft(await page.evaluate(beyondBox), `${path}: buttons beyond their box`).toEqual([])
  const broken = await page.evaluate(brokenWords)
  expect
    .soft(
      broken.filter((word) => word !== LONG_NAME),
      `${path}: words broken in headings`,
    )
    .toEqual([])
}

/** Runs in the page. Whether something else is drawn at the last line of the text. */
function covered(text: Element): boolean {
  const { left, right, bottom } = text.getBoundingClientRect()
  const drawn = document.elementFromPoint((left + right) / 2, bottom - 8)
  return !text.contains(drawn)
}

/** Runs in the page. */
function cutOff(): string[] {
  const isCut = (element: Element) =>
    element.clientWidth > 1 &&
    element.scrollWidth > element.clientWidth + 1 &&
    /hidden|clip/.test(getComputedStyle(element).overflowX) &&
    !element.matches('input, select, figcaption *') &&
    element.checkVisibility()
  return [...document.body.querySelectorAll('*')].filter(isCut).map((element) => {
    const { tagName, textContent, scrollWidth, clientWidth } = element
    return `${tagName.toLowerCase()} ${textContent?.slice(0, 60)}: ${scrollWidth} of ${clientWidth}`
  })
}

/** Runs in the page. */
function beyondBox(): string[] {
  const edge = (box: Element) =>
    box.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(box).paddingRight) * box.currentCSSZoom
  const isBeyond = (button: Element) => {
    for (let box = button.parentElement; box && box.localName !== 'main'; box = box.parentElement)
      if (button.getBoundingClientRect().right > edge(box) + 1) return true
    return false
  }
  const buttons = [...document.querySelectorAll('main button')].filter((button) => button.checkVisibility())
  return buttons.filter(isBeyond).map(({ textContent }) => textContent ?? '')
}

/** Runs in the page. */
function brokenWords(): string[] {
  const broken: string[] = []
  for (const heading of document.querySelectorAll('h1, h2, h3')) {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode as Text
      for (const { 0: word, index } of text.data.matchAll(/[^\s-]+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        // The first letter may have a rectangle of its own.
        const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)))
        if (lines.size > 1) broken.push(word)
      }
    }
  }
  return broken
}
