// `npm run screenshots`: takes the pictures of the README and of the handbook on temporary servers, with the users of the tests.
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { createRelyingParty } from '../e2e/relying-party.ts'
import { setUpInstallation } from '../e2e/set-up-installation.ts'
import { startTestServer, type TestServer } from '../e2e/test-server.ts'
import { jadrolet, people, studio } from '../server/test/people.ts'
import { ensurePages } from './build/pages.ts'
import { ensureServer } from './build/server-bundle.ts'
import { ROOT } from './run-command.ts'
import { ensureChromium } from './suites/chromium.ts'

const { ana } = people
const DESKTOP = { viewport: { width: 1200, height: 750 } }
const PHONE = { viewport: { width: 390, height: 844 } }

await ensurePages()
await ensureServer()
const server = await startTestServer()
const fresh = await startTestServer()
const site = await createRelyingParty(server.url, 4000)
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
})
try {
  await walk(server)
  await setUp()
} finally {
  await browser.close()
  await site.close()
  await server.close()
  await fresh.close()
}

async function walk(server: TestServer): Promise<void> {
  const page = await open(DESKTOP)
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
  await page.getByText('All changes saved').waitFor()
  await picture(page, 'app')

  await site.start({ client_id, client_secret })
  const phone = await open({ ...PHONE, storageState: await page.context().storageState(), deviceScaleFactor: 1.5 })
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
async function setUp(): Promise<void> {
  const page = await open({ ...DESKTOP, baseURL: fresh.url })
  const { redirect_uri } = site
  await setUpInstallation({
    page,
    server: fresh,
    redirect_uri,
    async show(screen) {
      if (screen === 'look') await page.getByLabel('Name', { exact: true }).scrollIntoViewIfNeeded()
      await picture(page, screen)
    },
  })
}

async function open(options: BrowserContextOptions): Promise<Page> {
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
