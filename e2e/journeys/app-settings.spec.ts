import { type clients as Clients, clients } from '@vrata/contract'
import { jadrolet, people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { registerApp, signUpConfirmed } from '../accounts.ts'
import { expect, test, type Visitor } from '../fixtures.ts'
import type { TestServer } from '../server/test-server.ts'

const { ana } = people
const PUBLIC_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}
const REAUTHENTICATION_REQUIRED = {
  status: 'error',
  error: { code: 'reauthentication_required', message: 'Sign in again.' },
}

test('the consent preview keeps a long host inside its arch', async ({ server, open }) => {
  const visitor = await open()
  const { page } = visitor
  await signUpConfirmed(server, visitor, ana)
  const host = `${'letovanje-na-jadranu-'.repeat(3).slice(0, -1)}.${'a'.repeat(60)}.example`
  const { developer_id, client_id } = await registerApp(visitor, `https://${host}/callback`)
  await page.goto(`/developers/${developer_id}/applications/${client_id}/details`)
  const shown = page.getByText(host)
  await expect(shown).toBeVisible()
  const [text, arch] = await shown.evaluate((node) =>
    [node, node.parentElement].map((element) => element?.clientWidth ?? 0),
  )
  expect(text).toBeLessThan(arch ?? 0)
})

test.describe('development page of an app', () => {
  test('tries the sign-in with the settings of the app and shows what the app would receive', async ({
    server,
    open,
  }) => {
    const { page } = await openDevelopmentPage(server, await open())
    const { origin } = new URL(server.url)
    const addresses = page.getByRole('region', { name: 'Server addresses' })
    await expect(addresses.getByText(origin, { exact: true })).toBeVisible()
    await expect(addresses.getByText(`${origin}/.well-known/openid-configuration`)).toBeVisible()

    const card = page.getByRole('region', { name: 'Try this sign-in' })
    const start = async (name: string) => {
      const opened = page.context().waitForEvent('page')
      await card.getByRole('button', { name }).click()
      return await opened
    }
    const denied = await start('Try this sign-in')
    await expect(card.getByText('Finish the sign-in in the other window.')).toBeVisible()
    await denied.getByRole('button', { name: 'Cancel' }).click()
    await expect(card.getByText('Access was not allowed')).toBeVisible()
    await expect(card.getByText(/^access_denied/)).toBeVisible()

    const allowed = await start('Try again')
    await allowed.getByRole('button', { name: 'Allow' }).click()
    await expect(card.getByText('The sign-in works')).toBeVisible()
    await expect(card.getByRole('figure').filter({ hasText: 'Userinfo' })).toContainText(ana.email)
    await checkAccessibility(page, 'a test sign-in')
  })

  test('accepts each safe redirect URI once and removes one after a warning', async ({ server, open }) => {
    const { page } = await openDevelopmentPage(server, await open())
    const uris = page.getByRole('region', { name: 'Redirect URIs' })
    const field = uris.getByRole('textbox', { name: 'Redirect URI' })

    await field.fill('http://jadrolet.example/callback')
    await field.press('Enter')
    await expect(uris.getByText('The URL must start with https://. Only localhost may use http://.')).toBeVisible()
    await field.fill('https://jadrolet.example/callback#here')
    await field.press('Enter')
    await expect(uris.getByText('The URL must not contain #.')).toBeVisible()
    await field.fill('https://Jadrolet.example/call back')
    await field.press('Enter')
    await expect(uris.getByText(/in its normal form: https:\/\/jadrolet.example\/call%20back\./)).toBeVisible()

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

  test('changes the client authentication method and reports an invalid public key', async ({ server, open }) => {
    const visitor = await open()
    const { page, client_id } = await openDevelopmentPage(server, visitor)
    const expert = page.getByRole('region', { name: 'Expert settings' })
    await expert.getByLabel('Client authentication method').selectOption('Signature with its own key')
    const keys = expert.getByLabel('Or enter the public keys')
    await keys.fill(JSON.stringify({ ...PUBLIC_KEY, d: 'secret' }))
    await expert.getByRole('button', { name: 'Save keys' }).click()
    await expect(expert.getByText(/This is a private key/)).toBeVisible()
    await keys.fill(JSON.stringify(PUBLIC_KEY))
    await expert.getByRole('button', { name: 'Save keys' }).click()
    await expect(page.getByText('Keys saved.')).toBeVisible()
    await expert.getByRole('switch', { name: 'Bind tokens to a key (DPoP)' }).click()
    await expect
      .poll(async () => dataOf(await visitor.call(clients.getAdvanced, { id: client_id })))
      .toMatchObject({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [PUBLIC_KEY] },
        dpop_bound_access_tokens: true,
      })
  })

  test('registers the name of a certificate, and binds tokens to it', async ({ server, open }) => {
    const visitor = await open()
    const { page, client_id } = await openDevelopmentPage(server, visitor)
    const expert = page.getByRole('region', { name: 'Expert settings' })
    await expert.getByLabel('Client authentication method').selectOption('Certificate from an authority (TLS)')
    await expert.getByLabel('Name in the certificate').fill('Jadrolet')
    await expert.getByRole('button', { name: 'Save name' }).click()
    await expect(expert.getByText('Check the format of this value.')).toBeVisible()
    await expert.getByLabel('Name in the certificate').fill('CN=Jadrolet,O=Studio')
    await expert.getByRole('button', { name: 'Save name' }).click()
    await expect(page.getByText('Name saved.')).toBeVisible()
    await expert.getByLabel('The certificate is recognized by').selectOption('DNS name')
    await expert.getByLabel('Name in the certificate').fill('app.jadrolet.example')
    await expert.getByRole('button', { name: 'Save name' }).click()
    await expert.getByRole('switch', { name: 'Bind tokens to a certificate (TLS)' }).click()
    await expect
      .poll(async () => dataOf(await visitor.call(clients.getAdvanced, { id: client_id })))
      .toMatchObject({
        token_endpoint_auth_method: 'tls_client_auth',
        tls_client_auth_subject_dn: null,
        tls_client_auth_san_dns: 'app.jadrolet.example',
        tls_client_certificate_bound_access_tokens: true,
      })
    await checkAccessibility(page, 'the name of a certificate')
    await expert.getByRole('switch', { name: 'Bind tokens to a key (DPoP)' }).click()
    await expect(expert.getByRole('switch', { name: 'Bind tokens to a certificate (TLS)' })).not.toBeChecked()
  })

  test('chooses the content of ID tokens, and FAPI 2.0 once keys are registered', async ({ server, open }) => {
    const visitor = await open()
    const { page, client_id } = await openDevelopmentPage(server, visitor)
    const expert = page.getByRole('region', { name: 'Expert settings' })
    const stored = async () => dataOf(await visitor.call(clients.getAdvanced, { id: client_id }))
    await expect(expert.getByLabel('ID tokens are signed with')).toHaveValue('RS256')
    await expert.getByLabel('ID tokens contain').selectOption('minimal')
    await expect.poll(async () => (await stored()).id_token_claims).toBe('minimal')

    const profile = expert.getByRole('combobox', { name: 'Security profile' })
    await expect(profile.getByRole('option', { name: 'FAPI 2.0' })).toBeDisabled()
    const jwks = { keys: [PUBLIC_KEY] } as Clients.Advanced['jwks']
    dataOf(
      await visitor.call(clients.updateAdvanced, {
        id: client_id,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks,
      }),
    )
    const { redirect_uri } = jadrolet
    dataOf(await visitor.call(clients.addRedirectUri, { id: client_id, redirect_uri }))
    await page.reload()
    await expect(expert.getByText('Remove the redirect URIs that start with http:// first.')).toBeVisible()
    await expect(profile.getByRole('option', { name: 'FAPI 2.0' })).toBeDisabled()
    dataOf(await visitor.call(clients.removeRedirectUri, { id: client_id, redirect_uri }))
    await page.reload()
    const dialog = page.getByRole('dialog', { name: 'Use FAPI 2.0?' })
    await profile.selectOption('fapi2')
    await expect(dialog.getByRole('listitem')).toHaveCount(8)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(profile).toHaveValue('standard')
    await profile.selectOption('fapi2')
    await dialog.getByRole('button', { name: 'Use FAPI 2.0' }).click()
    await expect(expert.getByText('RS256 is rejected.')).toBeVisible()
    // The profile takes the place of the switches.
    const pkce = page.getByRole('switch', { name: 'Require PKCE' })
    await expect(pkce).toBeHidden()
    // Unless tokens are bound to a certificate, DPoP stays.
    const dpop = expert.getByRole('switch', { name: 'Bind tokens to a key (DPoP)' })
    await expect(dpop).toBeChecked()
    await expect(dpop).toBeDisabled()
    await expect(expert.getByLabel('ID tokens are signed with')).toHaveValue('ES256')
    await expert.getByLabel('Client assertions are signed with').selectOption('PS256')
    await expert.getByRole('switch', { name: 'Require signed authorization requests (JAR)' }).click()
    await expert.getByLabel('Authorization responses').selectOption('Signed with EdDSA')
    await expect.poll(stored).toMatchObject({
      security_profile: 'fapi2',
      token_endpoint_auth_signing_alg: 'PS256',
      require_pkce: true,
      require_signed_request_object: true,
      authorization_signed_response_alg: 'EdDSA',
    })
    await checkAccessibility(page, 'the security profile')
    await profile.selectOption('standard')
    await expect(pkce).toBeEnabled()
  })

  test('requires the client secret while PKCE is off', async ({ server, open }) => {
    const visitor = await open()
    const { page, client_id } = await openDevelopmentPage(server, visitor)
    const secret = page.getByRole('switch', { name: 'Require the client secret at the token endpoint' })
    const pkce = page.getByRole('switch', { name: 'Require PKCE' })
    await secret.click()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    await expect.poll(advanced).toMatchObject({ require_client_secret: false, require_pkce: true })

    await pkce.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(pkce).not.toBeChecked()
    await expect(secret).toBeChecked()
    await expect(secret).toBeDisabled()
    await expect.poll(advanced).toMatchObject({ require_client_secret: true, require_pkce: false })
    await page.reload()
    await expect(pkce).not.toBeChecked()

    async function advanced() {
      return dataOf(await visitor.call(clients.getAdvanced, { id: client_id }))
    }
  })

  test('says what excludes sign-in requests without a browser, and what they exclude', async ({ server, open }) => {
    const visitor = await open()
    const { page, client_id: id } = await openDevelopmentPage(server, visitor)
    const set = async (changes: Partial<Clients.Advanced>) => {
      dataOf(await visitor.call(clients.updateAdvanced, { id, ...changes }))
      await page.reload()
    }
    const expert = page.getByRole('region', { name: 'Expert settings' })
    await set({ jwks: { keys: [PUBLIC_KEY] } as Clients.Advanced['jwks'], backchannel_token_delivery_mode: 'poll' })
    await expect(expert.getByRole('option', { name: 'FAPI 2.0' })).toBeDisabled()
    await expect(expert.getByText('First choose how sign-in requests without a browser (CIBA) must be')).toBeVisible()
    await expect(expert.getByRole('option', { name: 'Different for each sector' })).toBeDisabled()
    await expect(page.getByRole('switch', { name: 'Require the client secret' })).toBeDisabled()
    await expect(page.getByText('Must stay on while sign-in requests without a browser (CIBA) are on.')).toBeVisible()

    await set({ backchannel_authentication_request_signing_alg: 'ES256' })
    await expect(expert.getByRole('option', { name: 'FAPI 2.0' })).toBeEnabled()

    dataOf(await visitor.call(clients.addRedirectUri, { id, redirect_uri: 'https://jadrolet.example/callback' }))
    await set({ backchannel_token_delivery_mode: null, subject_type: 'pairwise' })
    await expect(expert.getByRole('option', { name: /poll/ })).toBeDisabled()
    await expect(expert.getByText('Not available while the IDs of people differ by sector (pairwise).')).toBeVisible()
  })

  test('asks before it regenerates the client secret and shows the new one once', async ({ server, open }) => {
    const { page } = await openDevelopmentPage(server, await open())
    await page.getByRole('button', { name: 'Regenerate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Regenerate the client secret?' })
    await expect(dialog).toContainText('users may be unable to log in')
    await dialog.getByRole('button', { name: 'Regenerate' }).click()
    await expect(page.getByText('Copy the secret now')).toBeVisible()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await expect(page.getByText('Copy the secret now')).toBeHidden()
    await page.reload()
    await expect(page.getByText(/^•••• ••••/)).toBeVisible()
  })

  test('a dialog that sends stays open until the new client secret can be shown', async ({ server, open }) => {
    const { page } = await openDevelopmentPage(server, await open())
    const pressed = Promise.withResolvers<void>()
    const sent = page.waitForRequest('**/secret/regenerate')
    await page.route('**/secret/regenerate', async (route) => {
      await pressed.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Regenerate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Regenerate the client secret?' })
    await dialog.getByRole('button', { name: 'Regenerate' }).click()
    await sent
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeVisible()
    pressed.resolve()
    await expect(page.getByText('Copy the secret now')).toBeVisible()
  })

  test('requires reauthentication before it regenerates the client secret', async ({ server, open }) => {
    const { page } = await openDevelopmentPage(server, await open())
    // The first response is the one for a sign-in older than ten minutes (api §2.7).
    await page.route(
      '**/secret/regenerate',
      (route) => route.fulfill({ status: 403, json: REAUTHENTICATION_REQUIRED }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click()
    const reauthentication = page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await reauthentication.getByLabel('Password', { exact: true }).fill('not-the-password-1')
    await page.keyboard.press('Enter')
    await expect(reauthentication.getByText('Invalid password.')).toBeVisible()
    await reauthentication.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Copy the secret now')).toBeVisible()
  })

  test('deletes an app only after its name is typed', async ({ server, open }) => {
    const { page, developer_id } = await openDevelopmentPage(server, await open())
    await page.getByRole('link', { name: 'Details' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the app Jadrolet?' })
    await expect(dialog).toContainText('Deleting an app is irreversible.')
    await dialog.getByRole('textbox').fill('Jadrol')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The name does not match. Type it exactly as shown.')).toBeVisible()
    await dialog.getByRole('textbox').fill(jadrolet.name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/developers/${developer_id}/applications`)
    await expect(page.getByText('No apps yet')).toBeVisible()
  })

  test('saves app details automatically and previews them on the consent screen', async ({ server, open }) => {
    const visitor = await open()
    const { page, client_id } = await openDevelopmentPage(server, visitor)
    await page.getByRole('link', { name: 'Details' }).click()
    await page.getByLabel('Name').fill('Jadrolet Plus')
    await page.keyboard.press('Tab')
    await expect(page.getByText('Jadrolet Plus wants to use your Vrata account')).toBeVisible()
    await expect
      .poll(async () => dataOf(await visitor.call(clients.getClientInfo, { id: client_id })).name)
      .toBe('Jadrolet Plus')
    await expect(page.getByRole('heading', { level: 1, name: 'Jadrolet Plus' })).toBeVisible()
  })
})

/** Signs Ana up with an app and opens its development page. */
async function openDevelopmentPage(server: TestServer, visitor: Visitor) {
  await signUpConfirmed(server, visitor, ana)
  const { developer_id, client_id } = await registerApp(visitor)
  await visitor.page.goto(`/developers/${developer_id}/applications/${client_id}/development`)
  return { page: visitor.page, developer_id, client_id }
}
