import type { BrowserContext, Locator, Page } from '@playwright/test'
import { auth, connections } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { callerOf } from '../caller.ts'

/** Somewhere a module of the suite sends the person. */
export type Errand = { url: string; method: string }

/** Whether they do what they are asked to, refuse the app, or only look at the page. */
export type Mood = 'willing' | 'refusing' | 'looking'

/** What they saw of it, as data URLs: the first page of ours, and the last. */
export type Seen = { first: string; last: string }

/** Goes there and on, as Ana would, until the suite has her back or a page of ours leads nowhere. */
export async function runErrand(
  person: BrowserContext,
  errand: Errand,
  { suite, mood }: { suite: string; mood: Mood },
): Promise<Seen> {
  if (mood === 'refusing') await takeBack(person, new URL(errand.url))
  const page = await person.newPage()
  page.setDefaultTimeout(15_000)
  await set(page, errand)
  const seen: string[] = []
  for (let leaving = false; seen.length < 10; ) {
    // An account that this browser knows is chosen first, and then asked for its password.
    const name = mood === 'refusing' ? /^(Sign in|Cancel)$/ : /^(Sign in|Allow|Sign out)$/
    const button = page.getByRole('button', { name }).or(page.locator('li > button'))
    const at = await Promise.any([
      page.waitForURL((now) => now.href.startsWith(suite)).then(() => 'the suite'),
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
    seen.push(await picture(page))
    if (at !== 'a page' || leaving || mood === 'looking') break
    await fill(page.getByLabel('Email or username'), people.ana.email)
    await fill(page.getByLabel('Password', { exact: true }), people.ana.password)
    const pressed = await button.first().elementHandle()
    leaving = (await pressed?.innerText()) === 'Sign out'
    await pressed?.click()
    // It goes with its page, too.
    await pressed?.waitForElementState('hidden').catch(() => undefined)
  }
  await page.close()
  return { first: seen[0] as string, last: seen.at(-1) as string }
}

/** What they allowed the app before, so that it must ask them again. */
async function takeBack(person: BrowserContext, { origin, searchParams }: URL): Promise<void> {
  const call = callerOf(person, { url: origin })
  const { email, password } = people.ana
  await call(auth.login, { username: email, password })
  await call(connections.removeConnection, { client: searchParams.get('client_id') ?? '' })
}

async function set(page: Page, { url, method }: Errand): Promise<void> {
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

async function picture(page: Page): Promise<string> {
  const jpeg = await page.screenshot({ type: 'jpeg', quality: 70, animations: 'disabled' })
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
