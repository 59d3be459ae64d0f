import { clients, connections, developers } from '@vrata/contract'
import { jadrolet, people, studio } from '../../server/test/people.ts'
import { proofKey } from '../../server/test/third-party.ts'
import { dataOf } from '../../testing/api-client.ts'
import { checkAccessibility } from '../accessibility.ts'
import { signUpConfirmed } from '../accounts.ts'
import { expect, test } from '../fixtures.ts'

const { ana, cvetka } = people
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

test('a person sees which service acted for them, and ends it with the access of the app', async ({
  server,
  open,
  openWithoutPage,
}) => {
  const developer = await openWithoutPage()
  await signUpConfirmed(server, developer, ana)
  dataOf(await developer.call(developers.createDeveloper, { name: studio.name }))
  const app = dataOf(await developer.call(clients.createClient, jadrolet))
  const robot = dataOf(await developer.call(clients.createClient, { name: 'Robot', type: 'service' }))
  const visitor = await open()
  await signUpConfirmed(server, visitor, cvetka)
  const { page } = visitor
  const scopes = ['openid', 'profile']
  dataOf(await visitor.call(connections.submitConsent, { client: app.client_id, scopes }))

  const tokenFor = async ({ client_id, client_secret }: typeof app, form: Record<string, string>) => {
    const authorization = `Basic ${btoa(`${client_id}:${client_secret}`)}`
    const body = new URLSearchParams(form)
    const answer = await fetch(`${server.url}/token`, { method: 'POST', headers: { authorization }, body })
    return (await answer.json()) as { access_token: string; scope: string }
  }
  const { verifier, challenge } = proofKey()
  const { redirect_uri } = jadrolet
  const request = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri,
    response_type: 'code',
    scope: scopes.join(' '),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  const back = await page.request.get(`${server.url}/authorize?${request}`, { maxRedirects: 0 })
  const code = new URL(back.headers().location ?? '').searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const { access_token: subject_token } = await tokenFor(app, form)
  const grant = { grant_type: clients.TOKEN_EXCHANGE_GRANT, subject_token, subject_token_type: ACCESS_TOKEN }
  const { access_token, scope } = await tokenFor(robot, grant)
  expect(scope).toBe('openid profile')
  const userinfo = async () =>
    (await fetch(`${server.url}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })).status
  expect(await userinfo()).toBe(200)

  await page.goto('/privacy/activity?type=SERVICE_USED_ACCESS')
  await checkAccessibility(page, 'activity of a service')
  await page.getByRole('button', { name: /^Robot used the access you gave Jadrolet/ }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('To end it, remove the access of Jadrolet.')).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'This was not me' })).toBeHidden()
  await sheet.getByRole('link', { name: 'See connected apps' }).click()
  await page.getByRole('link', { name: /^Jadrolet/ }).click()
  const services = page.getByRole('region', { name: 'Services that acted for you' })
  await expect(services.getByText('Robot')).toBeVisible()
  await checkAccessibility(page, 'an app with a service')
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
  await expect(page).toHaveURL('/applications')
  expect(await userinfo()).toBe(401)
})
