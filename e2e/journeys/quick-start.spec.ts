import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../../scripts/run-command.ts'
import { people, studio } from '../../server/test/people.ts'
import { checkAccessibility } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'

const { ana } = people
const PORT = 4000

/** Measures the time and clicks from sign-up to a working sign-in in the copied program. */
test('quick start leads from sign-up to a working sign-in within twelve clicks', async ({ open, server }, info) => {
  test.slow()
  const { page, context } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const start = performance.now()
  let clicks = 0
  const click = async (button: ReturnType<Page['getByRole']>) => {
    clicks += 1
    await button.click()
  }

  await page.goto('/register')
  await page.getByLabel('First name').fill(ana.first_name)
  await page.getByLabel('Last name').fill(ana.last_name)
  await page.getByLabel('Email', { exact: true }).fill(ana.email)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await click(page.getByRole('button', { name: 'Create account' }))
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.goto(await server.mailedLink(ana.email, '/confirm-email/'))
  await click(page.getByRole('button', { name: 'Confirm email' }))
  await expect(page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()

  await page.goto('/developers?create=true')
  await page.getByRole('dialog').getByLabel('Name').fill(studio.name)
  await click(page.getByRole('dialog').getByRole('button', { name: 'Create' }))
  await click(page.getByRole('button', { name: 'Register an app' }).first())
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Burja')
  await click(dialog.getByRole('button', { name: 'Register' }))
  await click(dialog.getByRole('button', { name: 'Client secret' }))
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  await click(dialog.getByRole('button', { name: 'Open the app' }))
  await click(page.getByRole('link', { name: 'Quick start' }))

  await expect(page.getByText('Waiting for your first sign-in…')).toBeVisible()
  await click(page.getByRole('button', { name: 'Register it' }))
  await expect(page.getByText('is not registered yet')).toBeHidden()
  await click(page.getByRole('button', { name: 'Copy app.mjs' }))
  const code = await page.evaluate(() => navigator.clipboard.readText())

  const folder = await mkdtemp(join(tmpdir(), 'vrata-quick-start-'))
  let site: ChildProcess | undefined
  try {
    // Replaces `npm install` of the packages that the page names.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'app.mjs'), code)
    site = spawn(process.execPath, ['app.mjs'], {
      cwd: folder,
      env: { ...process.env, VRATA_CLIENT_SECRET: secret },
      stdio: 'ignore',
    })
    await expect
      .poll(() =>
        fetch(`http://localhost:${PORT}/`).then(
          (r) => r.ok,
          () => false,
        ),
      )
      .toBe(true)
    const appPage = await context.newPage()
    await appPage.goto(`http://localhost:${PORT}/sign-in`)
    await click(appPage.getByRole('button', { name: 'Allow', exact: true }))
    await expect(appPage.getByText('Hello, Ana Kovač')).toBeVisible()
    await expect(page.getByText('Your first sign-in succeeded')).toBeVisible()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const figure = `From sign-up to a working sign-in: ${seconds} s of machine time, ${clicks} clicks.`
    console.log(figure)
    info.annotations.push({ type: 'duration', description: figure })
    expect(clicks).toBeLessThanOrEqual(12)
  } finally {
    site?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  await checkAccessibility(page, 'quick start after the first sign-in')
})
