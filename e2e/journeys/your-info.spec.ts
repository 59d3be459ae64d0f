import { Buffer } from 'node:buffer'
import type { Page } from '@playwright/test'
import { auth } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { expect, PHONE, test } from '../fixtures.ts'
import { done, settle } from '../settled.ts'

const { cvetka } = people
const NEW = 'cvetka.nova@example.com'

/** A photo wider than high, as a phone would make it. */
async function photo(page: Page): Promise<Buffer> {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 900
    canvas.height = 600
    const paper = canvas.getContext('2d')
    if (paper) {
      paper.fillStyle = '#006867'
      paper.fillRect(0, 0, 900, 600)
      paper.fillStyle = '#f9bb51'
      paper.fillRect(300, 150, 300, 450)
    }
    return canvas.toDataURL('image/jpeg')
  })
  return Buffer.from(data.split(',')[1] ?? '', 'base64')
}

async function askForNewEmail(page: Page) {
  await page.goto('/your-info')
  await page.getByRole('link', { name: /^Email/ }).click()
  await page.getByLabel('New email').fill(NEW)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${NEW} waits for confirmation`)).toBeVisible()
}

test.describe('§3 your info', () => {
  test('a new address waits, is cancelled, and its link is void', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await askForNewEmail(page)
    const link = await house.mailedLink(NEW, '/confirm-email/')
    await page.getByRole('button', { name: 'Keep the old one' }).click()
    await expect(page.getByText(`Your email stays ${cvetka.email}.`)).toBeVisible()
    await expect(page.getByText(`${NEW} waits for confirmation`)).toBeHidden()

    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByText('Link is not valid.')).toBeVisible()
    await page.goto('/your-info')
    await expect(page.getByRole('link', { name: /^Email/ })).toContainText(cvetka.email)
  })

  test('a new address is confirmed, and the old one is told', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await askForNewEmail(page)
    await page.goto(await house.mailedLink(NEW, '/confirm-email/'))
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByText('Email confirmed')).toBeVisible()
    await page.goto('/your-info')
    await expect(page.getByRole('link', { name: /^Email/ })).toContainText(NEW)
    await house.mailed(cvetka.email, 'The address of your account was changed')
  })

  test('somebody who signed in long ago proves who they are, and the change goes on', async ({ house, open }) => {
    await settle(house, await open(), cvetka)
    const { page } = await open()
    // As if the sign-in were old: the first answer of the server asks for a proof.
    let asked = false
    await page.route('**/v1/account', (route) => {
      if (route.request().method() !== 'PUT' || asked) return route.fallback()
      asked = true
      const error = { code: 'reauthentication_required', message: 'not fresh' }
      return route.fulfill({ status: 403, json: { status: 'error', error } })
    })
    await page.goto('/login?redirect=/your-info/email')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('New email').fill(NEW)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${NEW} waits for confirmation`)).toBeVisible()
    await expect(page).toHaveURL('/your-info')
  })

  test('an entry opens at its address, closes with the way back, and is undone', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info')
    const name = page.getByRole('link', { name: /^Name/ })
    await name.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/your-info/name')
    await expect(page.getByLabel('First name')).toBeFocused()
    await page.goBack()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL('/your-info')
    await expect(name).toBeFocused()

    await page.goto('/your-info/name')
    await page.getByLabel('First name').fill('Cveta')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/your-info')
    await expect(name).toContainText('Cveta Zajc')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(name).toContainText('Cvetka Zajc')
  })

  test('a user name says whether it is free while it is written', async ({ house, open }) => {
    await settle(house, await open(), people.ana)
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/username')
    await page.getByRole('textbox', { name: 'Username' }).pressSequentially('cvetka')
    await expect(page.getByText('This username is free.')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: /^Username/ })).toContainText('cvetka')

    const other = await open()
    done(await other.call(auth.login, { username: people.ana.email, password: people.ana.password }))
    await other.page.goto('/your-info/username')
    await other.page.getByRole('textbox').fill('Cvetka')
    await expect(other.page.getByText('This username is taken.')).toBeVisible()
  })

  test('the language changes in place, and the others stay behind it', async ({ house, open }) => {
    const visitor = await open()
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/language')
    await page.getByLabel('Preferred language').selectOption('sl-SI')
    await page.getByLabel('Second language').selectOption('en-US')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Vaši podatki' })).toBeVisible()
    await page.getByRole('button', { name: 'Razveljavi' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your info' })).toBeVisible()
  })

  test('a picture is cut out, sent, shown, and removed', async ({ house, open }) => {
    const visitor = await open({ ...PHONE })
    await settle(house, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info')
    await page.getByRole('link', { name: 'Add a picture' }).click()
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') })
    await expect(page.getByRole('alert')).toContainText('IMG_1.heic')
    await input.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
    await page.getByLabel('Closer').fill('2')
    await page.getByRole('application').press('ArrowLeft')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Your new picture is here.')).toBeVisible()
    await expect(page).toHaveURL('/your-info')

    const shown = page.locator('main img')
    await expect(shown).toHaveJSProperty('naturalWidth', 512)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('The picture is removed.')).toBeVisible()
    await expect(shown).toBeHidden()
  })
})
