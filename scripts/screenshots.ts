// `npm run screenshots`: the pictures of the README. Walks the newcomer's path with the people of the tests, in a house of its own.
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { type House, openHouse } from '../e2e/house.ts'
import { relyingParty } from '../e2e/relying-party.ts'
import { jadrolet, people, studio } from '../server/test/people.ts'
import { ensureChromium } from './chromium.ts'
import { ROOT } from './command.ts'
import { ensurePages } from './pages.ts'
import { ensureServer } from './server-bundle.ts'

const { ana } = people
const DESKTOP = { viewport: { width: 1200, height: 750 } }
const PHONE = { viewport: { width: 390, height: 844 } }

await ensurePages()
await ensureServer()
const house = await openHouse()
const site = await relyingParty(house.url, 4000)
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
})
try {
  await walk(house)
} finally {
  await browser.close()
  await site.close()
  await house.close()
}

async function walk(house: House): Promise<void> {
  const page = await open(DESKTOP)
  await page.goto('/login')
  await page.getByLabel('Email or username').fill(ana.email)
  await picture(page, 'login')

  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('First name').fill(ana.first_name)
  await page.getByLabel('Last name').fill(ana.last_name)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.goto(await house.mailedLink(ana.email, '/confirm-email/'))
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
  await dialog.getByRole('button', { name: 'Go to the app' }).click()
  await page.getByText(site.redirect_uri).waitFor()
  await page.getByText('All changes saved').waitFor()
  await picture(page, 'app')

  await site.start({ client_id, client_secret })
  const phone = await open({ ...PHONE, storageState: await page.context().storageState(), deviceScaleFactor: 1.5 })
  await phone.goto(site.url)
  await phone.getByRole('button', { name: 'Sign in with Vrata' }).click()
  await phone.getByRole('button', { name: 'Allow', exact: true }).waitFor()
  // "Allow" answers only once the page has stood still for a moment.
  await phone.locator('button:not([aria-disabled=true])', { hasText: 'Allow' }).waitFor()
  await picture(phone, 'consent')
  await phone.getByRole('button', { name: 'Allow', exact: true }).click()
  await phone.getByRole('heading', { name: 'Hello, Ana' }).waitFor()

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/home')
  await page.getByText('Allowed Jadrolet access').waitFor()
  await picture(page, 'home')
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ baseURL: house.url, locale: 'en-US', reducedMotion: 'reduce', ...options })
  return context.newPage()
}

/** Taken once all that comes and goes has gone: the strip of light, notices. */
async function picture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.locator('#overlay').waitFor({ state: 'detached' })
  await page.getByText(/is created/).waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => {})')
  const path = join(ROOT, 'docs/images', `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
  console.log(path)
}
