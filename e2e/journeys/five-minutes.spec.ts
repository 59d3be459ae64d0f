import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ROOT } from '../../scripts/command.ts'
import { people, studio } from '../../server/test/people.ts'
import { expect, test } from '../fixtures.ts'
import { inspect } from '../screens.ts'

const { ana } = people
const PORT = 4000

/** The stopwatch: from nobody to a working sign-in in a program that was copied from the page and run as it is. */
test('a developer who has never seen Vrata has a working sign-in', async ({ open, house }, info) => {
  test.slow()
  const { page, context } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const began = performance.now()
  let presses = 0
  const press = async (button: ReturnType<Page['getByRole']>) => {
    presses += 1
    await button.click()
  }

  await page.goto('/register')
  await page.getByLabel('First name').fill(ana.first_name)
  await page.getByLabel('Last name').fill(ana.last_name)
  await page.getByLabel('Email', { exact: true }).fill(ana.email)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await press(page.getByRole('button', { name: 'Create account' }))
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await page.goto(await house.mailedLink(ana.email, '/confirm-email/'))
  await press(page.getByRole('button', { name: 'Confirm email' }))
  await expect(page.getByRole('heading', { name: 'Email confirmed' })).toBeVisible()

  await page.goto('/developers?create=true')
  await page.getByRole('dialog').getByLabel('Name').fill(studio.name)
  await press(page.getByRole('dialog').getByRole('button', { name: 'Create' }))
  await press(page.getByRole('button', { name: 'Register an app' }).first())
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Burja')
  await press(dialog.getByRole('button', { name: 'Register' }))
  await press(dialog.getByRole('button', { name: 'Client secret' }))
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  await press(dialog.getByRole('button', { name: 'Go to the app' }))
  await press(page.getByRole('link', { name: 'Quick start' }))

  await expect(page.getByText('Waiting for your first sign-in …')).toBeVisible()
  await press(page.getByRole('button', { name: 'Register it' }))
  await expect(page.getByText('is not registered yet')).toBeHidden()
  await press(page.getByRole('button', { name: 'Copy app.mjs' }))
  const code = await page.evaluate(() => navigator.clipboard.readText())

  const folder = await mkdtemp(join(tmpdir(), 'vrata-five-'))
  let site: ChildProcess | undefined
  try {
    // Stands for `npm install`: the packages are those that the page names.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'app.mjs'), code)
    site = spawn(process.execPath, ['app.mjs'], {
      cwd: folder,
      env: { ...process.env, VRATA_CLIENT_SECRET: secret },
      stdio: 'ignore',
    })
    await expect
      .poll(
        () =>
          fetch(`http://localhost:${PORT}/`).then(
            (r) => r.ok,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true)
    const app = await context.newPage()
    await app.goto(`http://localhost:${PORT}/sign-in`)
    await press(app.getByRole('button', { name: 'Allow', exact: true }))
    await expect(app.getByText('Hello, Ana Kovač')).toBeVisible()
    await expect(page.getByText('Your first sign-in has come')).toBeVisible()
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const figure = `From nobody to a working sign-in: ${seconds} s of machine time, ${presses} presses.`
    console.log(figure)
    info.annotations.push({ type: 'stopwatch', description: figure })
    expect(presses).toBeLessThanOrEqual(12)
  } finally {
    site?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  await inspect(page, 'quick start after the first sign-in')
})
