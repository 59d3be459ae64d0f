import { expect, type Locator, type Page } from '@playwright/test'
import { people } from '../../server/test/people.ts'
import { type Started, test } from './fixtures.ts'
import { DEFAULT_ALGORITHM, LIBRARIES, tagOf } from './libraries.ts'

const NAME = `${people.cvetka.first_name} ${people.cvetka.last_name}`
const { email: EMAIL } = people.cvetka
/** Buttons and links of the programs, of pages of the libraries, and of Vrata. */
const SIGN_IN = /^(Sign in|Sign in with Vrata|Sign in with OpenID Connect|Allow)$/
const SIGN_OUT = /^(Sign out|Log Out)$/

type Steps = Record<'signIn' | 'showUser' | 'renew' | 'signOut', (page: Page, started: Started) => Promise<unknown>>

/** A program with pages: a website, or a single-page app. */
const website: Steps = {
  async signIn(page, { home }) {
    await page.goto(home)
    await pressUntil(page, SIGN_IN, page.locator('code'))
  },
  async showUser(page) {
    await expect(page.getByText(NAME)).toBeVisible()
    await expect(page.getByText(EMAIL)).toBeVisible()
  },
  async renew(page, { home }) {
    const accessToken = page.locator('code')
    const before = await accessToken.innerText()
    await page.getByText('Renew', { exact: true }).click()
    await expect(async () => {
      await expect(accessToken)
        .not.toHaveText(before, { timeout: 2000 })
        .finally(() => page.goto(home))
      await expect(page.getByText(EMAIL)).toBeVisible({ timeout: 2000 })
    }).toPass()
  },
  async signOut(page) {
    const signInPage = page.getByRole('button', { name: 'Sign in with OpenID Connect' })
    await pressUntil(page, SIGN_OUT, page.getByText('Signed out').or(signInPage))
  },
}

/** A program without pages: it opens the browser of the system, and a line of input makes it continue. */
const nativeApp: Steps = {
  async signIn(page, { nextUrl }) {
    await page.goto(await nextUrl())
    await pressUntil(page, SIGN_IN, page.getByText('Close your browser to continue'))
  },
  showUser: (_, { program }) => program.waitForOutput(new RegExp(`${NAME} ${EMAIL}`)),
  async renew(_, { program }) {
    program.write('')
    await program.waitForOutput(/Renewed/)
  },
  async signOut(page, { program, nextUrl }) {
    program.write('')
    await page.goto(await nextUrl())
    await pressUntil(page, SIGN_OUT, page.getByRole('button', { name: 'Sign in' }))
  },
}

for (const library of LIBRARIES) {
  const { name, key, registry, renews, algorithms } = library
  const details = { tag: tagOf(registry), annotation: { type: 'library', description: key } }
  const { signIn, showUser, renew, signOut } = library.type === 'native' ? nativeApp : website

  test(`${name} signs a user in, shows name and email, and signs out`, details, async ({ page, server, start }) => {
    const started = await start(library)
    await test.step('sign-in', () => signIn(page, started))
    await test.step('name and email', () => showUser(page, started))
    if (renews) await test.step('renewal', () => renew(page, started))
    await test.step('sign-out', async () => {
      await signOut(page, started)
      await page.goto(server.url)
      await expect(page).toHaveURL(/\/login/)
    })
  })

  for (const algorithm of algorithms.filter((one) => one !== DEFAULT_ALGORITHM)) {
    const tag = [details.tag, '@algorithm']
    test(`${name} accepts ID tokens signed with ${algorithm}`, { ...details, tag }, async ({ page, start }) => {
      const started = await start(library, { settings: { id_token_signed_response_alg: algorithm } })
      await test.step(algorithm, async () => {
        await signIn(page, started)
        await showUser(page, started)
      })
    })
  }
}

/** Presses the buttons and links with these names, on pages of the program and of Vrata, until `end` is visible. */
async function pressUntil(page: Page, names: RegExp, end: Locator): Promise<void> {
  const next = page
    .getByRole('button', { name: names })
    .or(page.getByRole('link', { name: names }))
    .first()
  for (let presses = 0; presses < 6; presses += 1) {
    await expect(next.or(end).first()).toBeVisible()
    if (await end.isVisible()) return
    const pressed = await next.elementHandle()
    await pressed?.click()
    // It also disappears when the browser leaves the page.
    await pressed?.waitForElementState('hidden').catch(() => undefined)
  }
  await expect(end).toBeVisible()
}
