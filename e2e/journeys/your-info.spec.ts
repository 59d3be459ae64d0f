import { Buffer } from 'node:buffer'
import type { Page } from '@playwright/test'
import { signIn } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { signUpConfirmed } from '../accounts.ts'
import { cdpSession } from '../cdp-session.ts'
import { expect, PHONE, test } from '../fixtures.ts'

const { cvetka } = people
const NEW_EMAIL = 'cvetka.nova@example.com'

/** A JPEG in landscape format, drawn by the browser. */
async function photo(page: Page): Promise<Buffer> {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 900
    canvas.height = 600
    const drawing = canvas.getContext('2d')
    if (drawing) {
      drawing.fillStyle = '#006867'
      drawing.fillRect(0, 0, 900, 600)
      drawing.fillStyle = '#f9bb51'
      drawing.fillRect(300, 150, 300, 450)
    }
    return canvas.toDataURL('image/jpeg')
  })
  return Buffer.from(data.split(',')[1] ?? '', 'base64')
}

async function requestNewEmail(page: Page) {
  await page.goto('/your-info')
  await page.getByRole('link', { name: /^Email/ }).click()
  await page.getByLabel('New email').fill(NEW_EMAIL)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${NEW_EMAIL} is waiting for confirmation`)).toBeVisible()
}

test.describe('your info', () => {
  test('the list of countries has the first focus, and Escape closes it, then the dialog', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info')
    const country = page.getByRole('dialog').getByRole('combobox')
    const openCountry = async () => {
      await page.getByRole('link', { name: /^Country/ }).click()
      await expect(country).toBeFocused()
    }
    await openCountry()
    await page.keyboard.type('Slovenia')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await openCountry()
    await expect(country).toHaveValue('Slovenia')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await openCountry()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(country).toHaveValue('Slovenia')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('a message does not cover the buttons of a dialog on a phone', async ({ server, open }) => {
    const visitor = await open(PHONE)
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/name')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('First name').fill('Cveta')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const undo = page.getByText('Undo', { exact: true })
    // The message stays while the pointer is over it; the pointer moves to the other button at the end.
    await undo.hover()
    await page.getByRole('link', { name: /^Phone/ }).press('Enter')
    await dialog.getByRole('button', { name: 'Cancel' }).click({ trial: true })
    await expect(undo).toBeVisible()
  })

  test('fields of a dialog are not behind its buttons at 400 % zoom', async ({ server, open }) => {
    const visitor = await open({ viewport: { width: 320, height: 256 } })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/name')
    for (const label of ['First name', 'Last name']) {
      const field = page.getByRole('dialog').getByLabel(label)
      await field.focus()
      // The element in the middle of the focused field is the field itself.
      const inSight = await field.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height / 2) === element
      })
      expect(inSight, label).toBe(true)
    }
  })

  test('a canceled email change invalidates its link', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await requestNewEmail(page)
    const link = await server.mailedLink(NEW_EMAIL, '/confirm-email/')
    await page.getByRole('button', { name: 'Keep the old email' }).click()
    await expect(page.getByText(`Your email is still ${cvetka.email}.`)).toBeVisible()
    await expect(page.getByText(`${NEW_EMAIL} is waiting for confirmation`)).toBeHidden()

    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
    await page.goto('/your-info')
    await expect(page.getByRole('link', { name: /^Email/ })).toContainText(cvetka.email)
  })

  test('a confirmed email change notifies the old email', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await requestNewEmail(page)
    await page.goto(await server.mailedLink(NEW_EMAIL, '/confirm-email/'))
    await page.getByRole('button', { name: 'Confirm email' }).click()
    await expect(page.getByText('Email confirmed')).toBeVisible()
    await page.goto('/your-info')
    await expect(page.getByRole('link', { name: /^Email/ })).toContainText(NEW_EMAIL)
    await server.mailed(cvetka.email, 'The email address of your account was changed')
  })

  test('a former email that cannot be kept is reported also on the page that was opened meanwhile', async ({
    server,
    open,
  }) => {
    const visitor = await open({ allow: /ERR_FAILED/ })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await requestNewEmail(page)
    const left = Promise.withResolvers<void>()
    await page.route('**/v1/account', async (route) => {
      if (route.request().method() !== 'PUT') return await route.fallback()
      await left.promise
      await route.abort()
    })
    await page.getByRole('button', { name: 'Keep the old email' }).click()
    await page.getByRole('link', { name: 'Devices' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible()
    left.resolve()
    await expect(page.getByText('Keep the old email: The server can’t be reached.')).toBeVisible()
  })

  test('an email change continues after reauthentication', async ({ server, open, openWithoutPage }) => {
    await signUpConfirmed(server, await openWithoutPage(), cvetka)
    const { page } = await open()
    // The first response is the one for a sign-in older than ten minutes (api §2.7).
    let requested = false
    await page.route('**/v1/account', (route) => {
      if (route.request().method() !== 'PUT' || requested) return route.fallback()
      requested = true
      const error = { code: 'reauthentication_required', message: 'not fresh' }
      return route.fulfill({ status: 403, json: { status: 'error', error } })
    })
    await page.goto('/login?redirect=/your-info/email')
    await page.getByLabel('Email or username').fill(cvetka.email)
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await page.getByLabel('New email').fill(NEW_EMAIL)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill(cvetka.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`${NEW_EMAIL} is waiting for confirmation`)).toBeVisible()
    await expect(page).toHaveURL('/your-info')
  })

  test('a dialog opens at its URL, closes on back, and its change can be undone', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
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
    // Nothing had the focus before the dialog, which the address has opened.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(name).toContainText('Cvetka Zajc')
  })

  test('the username field shows whether the name is available', async ({ server, open, openWithoutPage }) => {
    await signUpConfirmed(server, await openWithoutPage(), people.ana)
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/username')
    await page.getByRole('textbox', { name: 'Username' }).pressSequentially('cvetka')
    await expect(page.getByText('This username is available.')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('link', { name: /^Username/ })).toContainText('cvetka')

    const otherBrowser = await open()
    dataOf(await otherBrowser.call(signIn.login, { username: people.ana.email, password: people.ana.password }))
    await otherBrowser.page.goto('/your-info/username')
    await otherBrowser.page.getByRole('textbox').fill('Cvetka')
    await expect(otherBrowser.page.getByText('This username is taken.')).toBeVisible()
  })

  test('the preferred language changes without a reload, and Undo restores it', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/language')
    await page.getByLabel('Preferred language').selectOption('sl-SI')
    await page.getByLabel('Second language').selectOption('en-US')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Vaši podatki' })).toBeVisible()
    await page.getByRole('button', { name: 'Razveljavi' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Your info' })).toBeVisible()
  })

  test('the picture opened by its address leaves the focus on the heading', async ({ server, open }) => {
    const visitor = await open()
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/picture')
    await expect(page.getByText('Choose a picture')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/your-info')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.getByRole('link', { name: 'Add a picture' }).press('Enter')
    await expect(page.getByText('Choose a picture')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('link', { name: 'Add a picture' })).toBeFocused()
  })

  test('a picture follows one finger, until it is lifted or taken over by the system', async ({ server, open }) => {
    const visitor = await open({ ...PHONE, hasTouch: true })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info/picture')
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo(page) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByLabel('Zoom').fill('2')
    const canvas = page.getByRole('application')
    const drawn = () => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL())
    const box = await canvas.boundingBox()
    if (!box) throw new Error('the picture is not shown')
    const finger = (id: number, x: number) => ({ id, x: box.x + x, y: box.y + 60 })
    const browser = await cdpSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchCancel', ...touchPoints: ReturnType<typeof finger>[]) =>
      browser.send('Input.dispatchTouchEvent', { type, touchPoints })

    const before = await drawn()
    await touch('touchStart', finger(1, 60))
    await touch('touchMove', finger(1, 90))
    await expect.poll(drawn).not.toBe(before)
    const moved = await drawn()
    await touch('touchStart', finger(1, 90), finger(2, 140))
    await touch('touchMove', finger(1, 90), finger(2, 20))
    await touch('touchCancel')
    await page.mouse.move(box.x + 20, box.y + 20)
    await page.mouse.move(box.x + 100, box.y + 100)
    expect(await drawn()).toBe(moved)
  })

  test('a picture is cropped, uploaded, shown and removed', async ({ server, open }) => {
    const visitor = await open({ ...PHONE })
    await signUpConfirmed(server, visitor, cvetka)
    const { page } = visitor
    await page.goto('/your-info')
    await page.getByRole('link', { name: 'Add a picture' }).click()
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') })
    await expect(page.getByRole('alert')).toContainText('IMG_1.heic')
    await input.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
    await page.getByLabel('Zoom').fill('2')
    await page.getByRole('application').press('ArrowLeft')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Picture updated.')).toBeVisible()
    await expect(page).toHaveURL('/your-info')

    const picture = page.locator('main img')
    await expect(picture).toHaveJSProperty('naturalWidth', 512)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Picture removed.')).toBeVisible()
    await expect(picture).toBeHidden()
  })
})
