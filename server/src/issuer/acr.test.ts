import { auth } from '@vrata/contract'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { good, type Phone, withSecondFactor } from '../../test/second-factor.ts'
import { allow, authorize, follow, here, refresh, signInTo, type ThirdParty } from '../../test/third-party.ts'

/** OpenID Connect Core §5.5.1.1 */
let house: House
let app: ThirdParty
let ana: SignedIn
let bor: SignedIn
let phone: Phone

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
  await allow(bor, app)
  phone = (await withSecondFactor(house, bor)).phone
})
afterAll(() => house.close())

const insisting = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
})
const acrOf = async (person: SignedIn, params = {}) =>
  decodeJwt((await signInTo(house, person, app, params)).id_token).acr

/** Bor signs in anew, with both factors. */
async function signInAgain() {
  house.clock.advance(1)
  await bor.call(auth.login, { username: people.bor.email, password: people.bor.password })
  good(await bor.call(auth.loginOtp, { otp_token: phone.code() }))
}

test('an app hears by how many factors the person was recognised, whatever it would rather have', async () => {
  expect(await acrOf(ana)).toBe('1')
  expect(await acrOf(ana, { acr_values: '2 1' })).toBe('1')
  await signInAgain()
  const { id_token, refresh_token } = await signInTo(house, bor, app)
  const renewed = (await refresh(house, app, refresh_token)).json()
  expect([id_token, renewed.id_token].map((token) => decodeJwt(token).acr)).toEqual(['2', '2'])
})

test('two factors are enough for an app that insists on one, and called so', async () => {
  expect(await acrOf(ana, insisting('1'))).toBe('1')
  expect(await acrOf(bor, insisting('1'))).toBe('1')
  expect(await acrOf(bor, insisting('2', '1'))).toBe('2')
})

test('an app that insists on two gets them from who has them, by a new sign-in', async () => {
  const waiting = await authorize(ana, app, insisting('2'))
  expect((await follow(ana, here(waiting))).pathname).toBe('/login')
  house.clock.advance(1)
  good(await ana.call(auth.login, { username: people.ana.email, password: people.ana.password }))
  const back = await follow(ana, here(waiting))
  expect(back.searchParams.get('error')).toBe('unmet_authentication_requirements')

  const stepping = house.visitor()
  const asked = await authorize(stepping, app, insisting('2'))
  await follow(stepping, here(asked))
  house.clock.advance(1)
  await stepping.call(auth.login, { username: people.bor.email, password: people.bor.password })
  good(await stepping.call(auth.loginOtp, { otp_token: phone.code() }))
  expect((await follow(stepping, here(asked))).searchParams.get('code')).toBeTruthy()
})

test('without a page, an app that insists on two hears that a sign-in is needed', async () => {
  const back = await authorize(ana, app, { ...insisting('2'), prompt: 'none' })
  expect(back.searchParams.get('error')).toBe('login_required')
})
