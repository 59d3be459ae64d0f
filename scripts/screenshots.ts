// `npm run screenshots`: takes the pictures of the README and of the handbook on temporary servers, with the users of the tests.
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { createRelyingParty, type RelyingParty } from '../e2e/relying-party.ts'
import { startTestServer, type TestServer } from '../e2e/server/test-server.ts'
import { setUpInstallation } from '../e2e/set-up-installation.ts'
import { jadrolet, people, studio } from '../server/test/people.ts'
import { ensurePages } from './build/pages.ts'
import { ensureServer } from './build/server-bundle.ts'
import { ROOT } from './run-command.ts'
import { ensureChromium } from './suites/chromium.ts'

const { ana } = people
const DESKTOP = { viewport: { width: 1200, height: 750 } }
const HANDBOOK = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 } }

/** Series of pictures by name; without a name in the arguments, all are taken. */
const SERIES = { readme: walk, handbook: setUp }

await ensurePages()
await ensureServer()
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
})
try {
  const named = process.argv.slice(2)
  for (const [name, take] of Object.entries(SERIES)) {
    if (named.length > 0 && !named.includes(name)) continue
    const server = await startTestServer()
    const site = await createRelyingParty(server.url, 4000)
    try {
      await take(server, site)
    } finally {
      await site.close()
      await server.close()
    }
  }
} finally {
  await browser.close()
}

async function walk(server: TestServer, site: RelyingParty): Promise<void> {
  const page = await open(server, DESKTOP)
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(ana.email)
  await picture(page, 'login')

  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('First name').fill(ana.first_name)
  await page.getByLabel('Last name').fill(ana.last_name)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.goto(await server.mailedLink(ana.email, '/confirm-email/'))
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.goto('/developers?create=true')
  await page.getByRole('dialog').getByLabel('Name').fill(studio.name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Register an app' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(jadrolet.name)
  await dialog.getByLabel('Redirect URI').fill(site.redirect_uri)
  await dialog.getByRole('button', { name: 'Register' }).click()
  const [client_id = '', client_secret = ''] = await dialog.locator('code').allInnerTexts()
  await dialog.getByRole('button', { name: 'Open the app' }).click()
  await page.getByText(site.redirect_uri).waitFor()
  await picture(page, 'app')

  await site.start({ client_id, client_secret })
  const phone = await open(server, {
    ...PHONE,
    storageState: await page.context().storageState(),
    deviceScaleFactor: 1.5,
  })
  await phone.goto(site.url)
  await phone.getByRole('button', { name: 'Sign in with Vrata' }).click()
  await phone.getByRole('button', { name: 'Allow', exact: true }).waitFor()
  // "Allow" is disabled for a moment after the page has appeared.
  await phone.locator('button:not([aria-disabled=true])', { hasText: 'Allow' }).waitFor()
  await picture(phone, 'consent')
  await phone.getByRole('button', { name: 'Allow', exact: true }).click()
  await phone.getByRole('heading', { name: 'Hello, Ana' }).waitFor()

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/home')
  await page.getByText('Gave Jadrolet access').waitFor()
  await picture(page, 'home')
}

/** The first minutes of an installation, for the handbook (docs/guides/operate.md). */
async function setUp(server: TestServer, { redirect_uri }: RelyingParty): Promise<void> {
  const page = await open(server, HANDBOOK)
  await setUpInstallation({
    page,
    server,
    redirect_uri,
    logo: await drawnLogo(server),
    async show(screen) {
      for (const toast of await page.getByRole('button', { name: 'Close' }).all()) await toast.click()
      if (screen === 'look') await page.evaluate('scrollTo(0, 0)')
      await picture(page, screen)
    },
  })
}

/** A logo that is not ours: a hill under the sun. */
async function drawnLogo(server: TestServer): Promise<Buffer> {
  const page = await open(server, { viewport: { width: 256, height: 256 } })
  await page.setContent(
    '<body style="margin:0"><svg viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#8a3b12"/><circle cx="22" cy="11" r="4" fill="#fbc865"/><path d="M4 26 13 12l6 9 3-4 6 9z" fill="#fff0d0"/></svg>',
  )
  return page.screenshot({ omitBackground: true })
}

async function open(server: TestServer, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  return context.newPage()
}

/** Takes a screenshot after the progress bar and notifications have disappeared. */
async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.locator('#overlay').waitFor({ state: 'detached' })
  await page.getByText(/is created/).waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => {})')
  const path = join(ROOT, 'docs/images', `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  console.log(path)
}
