import type { BrowserContext, Locator, Page } from '@playwright/test'
import { connections, signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { browserApi } from '../browser-api.ts'

/** A URL that a test module of the suite wants a browser to visit. */
export type BrowserTask = { url: string; method: string }

/** Actions of the user: sign in and allow, cancel the request, or only open the page. */
export type Behavior = 'allow' | 'deny' | 'view'

export type VisitOptions = {
  /** Address of the suite. */
  suite: string
  behavior: Behavior
  /** Whether the picture of the sign-in page must show the icon of the app, which a job copies after the registration. */
  withIcon: boolean
}

export type Visit = {
  /** Screenshots as data URLs: of the page with the password, otherwise of the first page; and of the last page. */
  first: string
  last: string
  /** Whether the browser ended at the suite. */
  isBack: boolean
}

/** Milliseconds within which a busy machine loads a page. */
const BUSY_MS = 60_000

/** Visits the URL as Ana and continues until the browser is at the suite again or at a page without a next step. */
export async function runBrowserTask(
  context: BrowserContext,
  task: BrowserTask,
  { suite, behavior, withIcon }: VisitOptions,
): Promise<Visit> {
  if (behavior === 'deny') await removeConnection(context, new URL(task.url))
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.setDefaultNavigationTimeout(BUSY_MS)
  const password = page.getByLabel('Password', { exact: true })
  await openTask(page, task)
  const icon = page.locator('[data-app=icon]')
  if (withIcon) await reloadUntil(page, icon.locator('img'))
  const screenshots: string[] = []
  let [withPassword, isBack]: [string | undefined, boolean] = [undefined, false]
  for (let signingOut = false; screenshots.length < 10; ) {
    // An account that the browser remembers is selected before the password is entered.
    const name = behavior === 'deny' ? /^(Sign in|Cancel)$/ : /^(Sign in|Allow|Sign out)$/
    const button = page.getByRole('button', { name }).or(page.locator('li > button'))
    const place = await Promise.any([
      page.waitForURL((url) => url.href.startsWith(suite)).then(() => 'the suite'),
      button
        .first()
        .waitFor()
        .then(() => 'a page'),
      page
        .locator('dl')
        .first()
        .waitFor()
        .then(() => 'a problem'),
    ]).catch(() => 'somewhere else')
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
    // The script names the app on the prerendered page.
    if (await password.isVisible()) await icon.waitFor({ timeout: 5000 }).catch(() => undefined)
    // The bars in place of what is being loaded, such as the account, are no picture of the page.
    await page
      .locator('.shimmer')
      .first()
      .waitFor({ state: 'detached' })
      .catch(() => undefined)
    const picture = await screenshot(page)
    screenshots.push(picture)
    isBack = place === 'the suite'
    if (!isBack && (await password.isVisible())) withPassword ??= picture
    if (place !== 'a page' || signingOut || behavior === 'view') break
    await fill(page.getByLabel('Email or username'), people.ana.email)
    await fill(password, people.ana.password)
    const clicked = await button.first().elementHandle()
    signingOut = (await clicked?.innerText()) === 'Sign out'
    await clicked?.click({ timeout: BUSY_MS })
    // The button also disappears when the browser leaves the page.
    await clicked?.waitForElementState('hidden').catch(() => undefined)
  }
  await page.close()
  return { first: withPassword ?? (screenshots[0] as string), last: screenshots.at(-1) as string, isBack }
}

/** Reloads the page until it has the element, at most half a minute. */
async function reloadUntil(page: Page, element: Locator): Promise<void> {
  for (let time = 0; time < 10; time += 1) {
    const isThere = await element.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await page.reload()
  }
}

/** Removes earlier consent, so that the app has to ask again. */
async function removeConnection(context: BrowserContext, { origin, searchParams }: URL): Promise<void> {
  const call = browserApi(context, { url: origin })
  const { email, password } = people.ana
  await call(signIn.login, { username: email, password })
  await call(connections.removeConnection, { client: searchParams.get('client_id') ?? '' })
}

async function openTask(page: Page, { url, method }: BrowserTask): Promise<void> {
  if (method !== 'POST') return void (await page.goto(url))
  const { origin, pathname, searchParams } = new URL(url)
  await page.setContent(`<form method="post" action="${origin}${pathname}"></form>`)
  await page.locator('form').evaluate(
    (form: HTMLFormElement, fields) => {
      for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), { name, value }))
      form.submit()
    },
    [...searchParams],
  )
}

async function fill(field: Locator, text: string): Promise<void> {
  if (await field.isVisible()) await field.fill(text)
}

async function screenshot(page: Page): Promise<string> {
  const jpeg = await page.screenshot({ type: 'jpeg', quality: 70, animations: 'disabled' })
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
