import { security, sessions, signIn } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { registerConfirmedUser } from '../../../test/registered-user.ts'
import { good, type Phone, withSecondFactor } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, follow, here, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'

/** OpenID Connect Core §5.5.1.1 */
let server: TestServer
let app: ThirdParty
let ana: SignedIn
let bor: SignedIn
let phone: Phone

beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  await allow(bor, app)
  phone = (await withSecondFactor(server, bor)).phone
})
afterAll(() => server.close())

const essentialAcr = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
})
const acrOf = async (person: SignedIn, params = {}) =>
  decodeJwt((await signInTo(server, person, app, params)).id_token).acr

/** Bor signs in again, with both factors. */
async function signInAgain() {
  server.clock.advance(1)
  await bor.call(signIn.login, { username: people.bor.email, password: people.bor.password })
  good(await bor.call(signIn.loginOtp, { otp_token: phone.code() }))
}

test('acr is the number of factors, whatever acr_values prefers', async () => {
  expect(await acrOf(ana)).toBe('1')
  expect(await acrOf(ana, { acr_values: '2 1' })).toBe('1')
  await signInAgain()
  const { id_token, refresh_token } = await signInTo(server, bor, app)
  const renewed = (await refresh(server, app, refresh_token)).json()
  expect([id_token, renewed.id_token].map((token) => decodeJwt(token).acr)).toEqual(['2', '2'])
})

test('two factors meet an essential acr of one and are reported as one', async () => {
  expect(await acrOf(ana, essentialAcr('1'))).toBe('1')
  expect(await acrOf(bor, essentialAcr('1'))).toBe('1')
  expect(await acrOf(bor, essentialAcr('2', '1'))).toBe('2')
})

test('an essential acr of two leads to a new sign-in, and to an error for a user without two factors', async () => {
  const interaction = await authorize(ana, app, essentialAcr('2'))
  expect((await follow(ana, here(interaction))).pathname).toBe('/login')
  server.clock.advance(1)
  good(await ana.call(signIn.login, { username: people.ana.email, password: people.ana.password }))
  const back = await follow(ana, here(interaction))
  expect(back.searchParams.get('error')).toBe('unmet_authentication_requirements')

  const stepping = server.browser()
  const asked = await authorize(stepping, app, essentialAcr('2'))
  await follow(stepping, here(asked))
  server.clock.advance(1)
  await stepping.call(signIn.login, { username: people.bor.email, password: people.bor.password })
  good(await stepping.call(signIn.loginOtp, { otp_token: phone.code() }))
  expect((await follow(stepping, here(asked))).searchParams.get('code')).toBeTruthy()
})

test('an essential acr stays essential beside acr_values', async () => {
  for (const acr_values of ['2', '1', '2 1']) {
    const asked = await authorize(ana, app, { ...essentialAcr('2'), acr_values })
    expect((await follow(ana, here(asked))).pathname).toBe('/login')
    const back = await authorize(ana, app, { ...essentialAcr('2'), acr_values, prompt: 'none' })
    expect(back.searchParams.get('error')).toBe('login_required')
  }
  expect(await acrOf(bor, { ...essentialAcr('1'), acr_values: '2' })).toBe('1')
})

test('an unmet essential acr is login_required with prompt=none', async () => {
  const back = await authorize(ana, app, { ...essentialAcr('2'), prompt: 'none' })
  expect(back.searchParams.get('error')).toBe('login_required')
})

/** Claims of an ID token for the person, and the seconds since `auth_time`. */
async function told(person: SignedIn, params = {}) {
  const { acr, amr, iat = 0, auth_time } = decodeJwt((await signInTo(server, person, app, params)).id_token)
  return { acr, amr, age: iat - Number(auth_time) }
}

/** Whether a second passed meanwhile. */
const about = (seconds: number) => expect.toSatisfy((age: number) => Math.abs(age - seconds) <= 2)

test.each<[string, Record<string, string>]>([
  ['a new sign-in with an essential acr of two', { ...essentialAcr('2'), prompt: 'login' }],
  ['a sign-in of the last minute with an essential acr of two', { ...essentialAcr('2'), max_age: '60' }],
  ['a sign-in of the last minute, with two factors if possible', { acr_values: '2', max_age: '60' }],
])('one of two factors verified again is not %s', async (_, params) => {
  await signInAgain()
  const amr = ['pwd', 'otp', 'mfa']
  expect(await told(bor)).toEqual({ acr: '2', amr, age: about(0) })
  server.clock.advance(601)
  good(await bor.call(sessions.refresh))
  const { password } = people.bor
  for (const verify of [
    () => bor.call(sessions.reauthenticate, { password }),
    () => bor.call(sessions.reauthenticate, { otp_token: phone.codeAt(0) }),
    () => bor.call(security.changePassword, { current_password: password, new_password: password }),
  ]) {
    const asked = await authorize(bor, app, params)
    server.clock.advance(1)
    good(await verify())
    expect((await follow(bor, here(asked))).pathname).toBe('/login')
    expect(await told(bor)).toEqual({ acr: '2', amr, age: about(603) })
    // The account pages, which ask for a sign-in of the last ten minutes, count it.
    expect(await bor.call(security.renewRecoveryCodes)).toMatchObject({ ok: true })
  }
  const last = await authorize(bor, app, params)
  await signInAgain()
  expect((await follow(bor, here(last))).searchParams.get('code')).toBeTruthy()
  expect(await told(bor)).toEqual({ acr: '2', amr, age: about(0) })
})

test('a code after a sign-in with the password alone makes two factors, both verified since that sign-in', async () => {
  const cvetka = await server.as(people.cvetka)
  await allow(cvetka, app)
  const { phone: hers } = await withSecondFactor(server, cvetka)
  expect(await told(cvetka)).toEqual({ acr: '1', amr: ['pwd'], age: about(30) })
  good(await cvetka.call(sessions.reauthenticate, { otp_token: hers.code() }))
  const both = { acr: '2', amr: ['pwd', 'otp', 'mfa'], age: about(60) }
  expect(await told(cvetka, essentialAcr('2'))).toEqual(both)
})

test('the only factor verified again renews `auth_time`', async () => {
  const iva = await registerConfirmedUser(server)
  await allow(iva, app)
  server.clock.advance(60)
  const asked = await authorize(iva, app, { prompt: 'login' })
  server.clock.advance(1)
  good(await iva.call(sessions.reauthenticate, { password: iva.password }))
  expect((await follow(iva, here(asked))).searchParams.get('code')).toBeTruthy()
  expect(await told(iva)).toEqual({ acr: '1', amr: ['pwd'], age: about(0) })
})
