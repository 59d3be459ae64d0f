import { clients } from '@vrata/contract'
import { jadrolet, people } from '../../server/test/people.ts'
import { expect, test, type Visitor } from '../fixtures.ts'
import type { House } from '../house.ts'
import { done, registerApp, settle } from '../settled.ts'

const { ana } = people
const PUBLIC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}
const REFUSED = { status: 'error', error: { code: 'reauthentication_required', message: 'Sign in again.' } }

test.describe('§2 the development page of an app', () => {
  test('takes redirect URIs that are safe, each once, and removes one after a warning', async ({ house, open }) => {
    const { page } = await development(house, await open())
    const uris = page.getByRole('region', { name: 'Redirect URIs' })
    const field = uris.getByRole('textbox', { name: 'Redirect URI' })

    await field.fill('http://jadrolet.example/callback')
    await field.press('Enter')
    await expect(uris.getByText('The address must begin with https://. Only localhost may use http://.')).toBeVisible()
    await field.fill('https://jadrolet.example/callback#here')
    await field.press('Enter')
    await expect(uris.getByText('The address must not contain #.')).toBeVisible()

    await field.fill('https://jadrolet.example/callback')
    await field.press('Enter')
    await expect(uris.getByRole('listitem')).toHaveText(['https://jadrolet.example/callback'])
    await expect(field).toHaveValue('')
    await field.fill('https://jadrolet.example/callback')
    await uris.getByRole('button', { name: 'Add' }).click()
    await expect(uris.getByText(/already/)).toBeVisible()

    await uris.getByRole('button', { name: 'Remove https://jadrolet.example/callback' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove this redirect URI?' })
    await expect(dialog).toContainText('users may be unable to log in')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(uris.getByRole('listitem')).toHaveCount(1)
    await uris.getByRole('button', { name: 'Remove https://jadrolet.example/callback' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(uris.getByText('None yet.')).toBeVisible()
  })

  test('§6 lets experts choose how the app proves itself, and says what is wrong with a key', async ({
    house,
    open,
  }) => {
    const visitor = await open()
    const { page, client_id } = await development(house, visitor)
    const expert = page.getByRole('region', { name: 'For experts' })
    await expert.getByLabel('How the app proves itself').selectOption('Signature with its own key')
    const keys = expert.getByLabel('Or the public keys themselves')
    await keys.fill(JSON.stringify({ ...PUBLIC_KEY, d: 'secret' }))
    await expert.getByRole('button', { name: 'Save keys' }).click()
    await expect(expert.getByText(/This is a private key/)).toBeVisible()
    await keys.fill(JSON.stringify(PUBLIC_KEY))
    await expert.getByRole('button', { name: 'Save keys' }).click()
    await expect(page.getByText('Keys saved.')).toBeVisible()
    await expert.getByRole('switch', { name: 'Bind tokens to a key (DPoP)' }).click()
    await expect
      .poll(async () => done(await visitor.call(clients.getAdvanced, { id: client_id })))
      .toMatchObject({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [PUBLIC_KEY] },
        dpop_bound_access_tokens: true,
      })
  })

  test('§5 without PKCE the secret is required', async ({ house, open }) => {
    const visitor = await open()
    const { page, client_id } = await development(house, visitor)
    const secret = page.getByRole('switch', { name: 'Require the client secret at the token endpoint' })
    const pkce = page.getByRole('switch', { name: 'Require PKCE' })
    await secret.click()
    await expect(page.getByText('All changes saved')).toBeVisible()
    await expect.poll(advanced).toMatchObject({ require_client_secret: false, require_pkce: true })

    await pkce.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    await expect(pkce).not.toBeChecked()
    await expect(secret).toBeChecked()
    await expect(secret).toBeDisabled()
    await expect.poll(advanced).toMatchObject({ require_client_secret: true, require_pkce: false })
    await page.reload()
    await expect(pkce).not.toBeChecked()

    async function advanced() {
      return done(await visitor.call(clients.getAdvanced, { id: client_id }))
    }
  })

  test('shows a new secret once, after asking whether the old one ends', async ({ house, open }) => {
    const { page } = await development(house, await open())
    await page.getByRole('button', { name: 'Regenerate' }).click()
    const question = page.getByRole('dialog', { name: 'Regenerate the client secret?' })
    await expect(question).toContainText('users may be unable to log in')
    await question.getByRole('button', { name: 'Regenerate' }).click()
    await expect(page.getByText('Copy the secret now')).toBeVisible()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await expect(page.getByText('Copy the secret now')).toBeHidden()
    await page.reload()
    await expect(page.getByText(/^•••• ••••/)).toBeVisible()
  })

  test('a sign-in of long ago is proven again before a secret changes', async ({ house, open }) => {
    const { page } = await development(house, await open())
    // Nobody waits ten minutes in a test: the first answer is the one that an older sign-in gets.
    await page.route('**/secret/regenerate', (route) => route.fulfill({ status: 403, json: REFUSED }), { times: 1 })
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password', { exact: true }).fill('not-the-password-1')
    await page.keyboard.press('Enter')
    await expect(proof.getByText('Invalid password.')).toBeVisible()
    await proof.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Copy the secret now')).toBeVisible()
  })

  test('an app is deleted only by its name, typed', async ({ house, open }) => {
    const { page, developer_id } = await development(house, await open())
    await page.getByRole('link', { name: 'Details' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the app Jadrolet?' })
    await expect(dialog).toContainText('Deleting is irreversible.')
    await dialog.getByRole('textbox').fill('Jadrol')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The name does not match. Type it exactly as shown.')).toBeVisible()
    await dialog.getByRole('textbox').fill(jadrolet.name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/developers/${developer_id}/applications`)
    await expect(page.getByText('No apps yet')).toBeVisible()
  })

  test('details are saved by themselves and shown as people will see them', async ({ house, open }) => {
    const visitor = await open()
    const { page, client_id } = await development(house, visitor)
    await page.getByRole('link', { name: 'Details' }).click()
    await page.getByLabel('Name').fill('Jadrolet Plus')
    await page.keyboard.press('Tab')
    await expect(page.getByText('Jadrolet Plus wants to use your Vrata account')).toBeVisible()
    await expect
      .poll(async () => done(await visitor.call(clients.getClientInfo, { id: client_id })).name)
      .toBe('Jadrolet Plus')
    await expect(page.getByRole('heading', { level: 1, name: 'Jadrolet Plus' })).toBeVisible()
  })
})

/** Ana at the development page of her app. */
async function development(house: House, visitor: Visitor) {
  await settle(house, visitor, ana)
  const { developer_id, client_id } = await registerApp(visitor)
  await visitor.page.goto(`/developers/${developer_id}/applications/${client_id}/development`)
  return { page: visitor.page, developer_id, client_id }
}
