import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { auth, clients, connections } from '@vrata/contract'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, signInTo, type ThirdParty } from '../../test/third-party.ts'

/** OpenID Connect Back-Channel Logout 1.0, with an app's server that really listens. */
let house: House
let ana: SignedIn
let app: ThirdParty
let listener: Server
/** What came, and what is answered next. */
let heard: { type: string | undefined; token: string }[]
let answers: number[]

beforeAll(async () => {
  house = await openHouse()
  listener = createServer(async (request: IncomingMessage, response) => {
    const token = new URLSearchParams(await text(request)).get('logout_token') ?? ''
    heard.push({ type: request.headers['content-type'], token })
    response.writeHead(answers.shift() ?? 200).end()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
})
afterAll(async () => {
  listener?.close()
  await house?.close()
})

beforeEach(async () => {
  heard = []
  answers = []
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
  const { port } = listener.address() as AddressInfo
  const backchannel_logout_uri = `http://127.0.0.1:${port}/signed-out`
  const answer = await ana.call(clients.updateAdvanced, { id: app.client_id, backchannel_logout_uri })
  expect(answer.ok).toBe(true)
  await allow(ana, app)
})

async function verified(token: string) {
  const jwks = await house.app.inject({ url: '/jwks' })
  return await jwtVerify(token, createLocalJWKSet(jwks.json()), {
    issuer: house.config.url,
    audience: app.client_id,
    typ: 'logout+jwt',
    currentDate: house.clock.now(),
  })
}

describe('an app hears that somebody is signed out', () => {
  test('signing out in the account tells each app of that session, by the `sid` of its ID token', async () => {
    const person = await house.as(people.ana)
    const { id_token } = await signInTo(house, person, app)
    const { sid, sub } = decodeJwt(id_token)
    expect(sid).toEqual(expect.any(String))
    expect(decodeJwt((await signInTo(house, person, app)).id_token).sid).toBe(sid)

    await person.call(auth.logout, {})
    expect(heard).toEqual([])
    await house.outbox()
    expect(heard).toHaveLength(1)
    expect(heard[0]?.type).toBe('application/x-www-form-urlencoded')
    const { payload } = await verified(heard[0]?.token ?? '')
    expect(payload).toEqual({
      iss: house.config.url,
      aud: app.client_id,
      sub,
      sid,
      iat: expect.any(Number),
      exp: (payload.iat as number) + 120,
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
  })

  test('ending another device tells of that one only; of two sessions each has its own `sid`', async () => {
    const [phone, desk] = [await house.as(people.ana), await house.as(people.ana)]
    const sids = []
    for (const browser of [phone, desk]) sids.push(decodeJwt((await signInTo(house, browser, app)).id_token).sid)
    expect(new Set(sids).size).toBe(2)
    await desk.call(auth.logoutSession, { id: phone.user.session_id })
    await house.outbox()
    expect(heard.map(({ token }) => decodeJwt(token).sid)).toEqual([sids[0]])
  })

  test('taking access back tells the app that all it has of the person ends', async () => {
    await signInTo(house, ana, app)
    await ana.call(connections.removeConnection, { client: app.client_id })
    await house.outbox()
    expect(heard).toHaveLength(1)
    const { payload } = await verified(heard[0]?.token ?? '')
    expect(payload.sub).toBe(ana.user.id)
    expect(payload).not.toHaveProperty('sid')
    expect(payload).not.toHaveProperty('nonce')
  })

  test('a server that is away is told later, with a token that is new; one that refuses is left alone', async () => {
    const person = await house.as(people.ana)
    await signInTo(house, person, app)
    answers = [503, 400]
    await person.call(auth.logout, {})
    await house.outbox()
    house.clock.advance(10)
    await house.outbox()
    house.clock.advance(3600)
    await house.outbox()
    expect(heard).toHaveLength(2)
    const [first, second] = heard.map(({ token }) => decodeJwt(token))
    expect(second?.jti).not.toBe(first?.jti)
    expect(second?.iat).toBeGreaterThan(first?.iat as number)
  })

  test('an app that was never signed in to, is switched off, or does not listen hears nothing', async () => {
    const person = await house.as(people.ana)
    await person.call(auth.logout, {})
    const other = await house.as(people.ana)
    await signInTo(house, other, app)
    await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false })
    await other.call(auth.logout, {})
    await house.outbox()
    expect(heard).toEqual([])
  })

  test('signs as the app wants its ID tokens signed', async () => {
    await ana.call(clients.updateAdvanced, { id: app.client_id, id_token_signed_response_alg: 'RS256' })
    const person = await house.as(people.ana)
    await signInTo(house, person, app)
    await person.call(auth.logout, {})
    await house.outbox()
    expect(decodeProtectedHeader(heard[0]?.token ?? '')).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' })
    await verified(heard[0]?.token ?? '')
  })
})
