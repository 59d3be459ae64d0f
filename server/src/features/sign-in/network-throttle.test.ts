import { sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RegisteredUser, registerConfirmedUser, registerUser } from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let otherNode: TestServer
beforeAll(async () => {
  server = await startTestServer()
  otherNode = await server.secondNode()
})
afterAll(async () => {
  await otherNode.close()
  await server.close()
})

const wrong = { http: 400, problem: { code: 'invalid_credentials' } }
const waits = (retry_after: number) => ({ http: 429, retry_after, problem: { code: 'too_many_requests' } })

/** An unknown browser in the network `10.{network}.0`. */
let browsers = 0
const unknown = (network: number, node = server) => {
  browsers += 1
  return node.browser({ ip: `10.200.${network}.${browsers % 250}` })
}
let names = 0
/** Each guess is for another account, so that no account is throttled. */
function spray(network: number, node = server) {
  names += 1
  return unknown(network, node).call(signIn.login, { username: `name${names}@example.com`, password: 'Poletje2026!' })
}

describe('wrong passwords for many accounts from one network (security §6.3.1)', () => {
  test('count on all nodes together, in steps of five', async () => {
    for (let n = 0; n < 20; n += 1) expect(await spray(6, n % 2 ? server : otherNode)).toMatchObject(wrong)
    expect((await spray(6)).http).toBe(429)
    expect((await spray(6, otherNode)).http).toBe(429)
  })

  test('make unknown browsers of the network wait, longer each time, with the right password, too', async () => {
    const ana = await registerUser(server)
    const login = (network: number) =>
      unknown(network).call(signIn.login, { username: ana.email, password: ana.password })
    for (let n = 0; n < 20; n += 1) expect(await spray(1)).toMatchObject(wrong)
    for (const wait of [1, 2, 4, 8]) {
      expect(await spray(1)).toMatchObject(waits(wait))
      expect(await login(1)).toMatchObject(waits(wait))
      server.clock.advance(wait)
      expect(await spray(1)).toMatchObject(wrong)
    }
    expect(await spray(2)).toMatchObject(wrong)
    expect(await login(2)).toMatchObject({ ok: true })
    // Free again after ten quiet minutes. Failures are counted in steps of five.
    server.clock.advance(16 + 600)
    for (let n = 0; n < 15; n += 1) expect(await spray(1)).toMatchObject(wrong)
    expect(await login(1)).toMatchObject({ ok: true })
  })

  test('do not make a browser wait that knows the account, and its failures do not count', async () => {
    const ana = await registerUser(server, { ip: '10.200.3.1' })
    await ana.call(sessions.logout)
    for (let n = 0; n < 5; n += 1) expect(await login(ana, 'napacno geslo')).toMatchObject(wrong)
    for (let n = 0; n < 20; n += 1) expect(await spray(3)).toMatchObject(wrong)
    expect(await spray(3)).toMatchObject(waits(1))
    expect(await login(ana, 'napacno geslo')).toMatchObject(wrong)
    expect(await login(ana, ana.password)).toMatchObject({ ok: true })
  })

  test('count among concurrent guesses like among sequential ones', async () => {
    const answers = await Promise.all(Array.from({ length: 45 }, () => spray(4)))
    const learned = answers.filter(({ http }) => http === 400).length
    expect(learned).toBe(20)
  })

  test('are forgotten where they come seldom', async () => {
    for (let n = 0; n < 40; n += 1) {
      expect(await spray(5)).toMatchObject(wrong)
      server.clock.advance(60)
    }
  })

  test('count together with wrong codes of the second factor', async () => {
    const ana = await registerConfirmedUser(server)
    await withSecondFactor(server, ana)
    const halfway = unknown(7)
    good(await halfway.call(signIn.login, { username: ana.email, password: ana.password }))
    for (let n = 0; n < 17; n += 1) expect(await spray(7)).toMatchObject(wrong)
    const guess = () => halfway.call(signIn.loginOtp, { otp_token: '000000' })
    for (let n = 0; n < 3; n += 1) expect(await guess()).toMatchObject({ problem: { code: 'invalid_otp' } })
    expect(await guess()).toMatchObject(waits(1))
    expect(await spray(7)).toMatchObject(waits(1))
    server.clock.advance(1)
    expect(await guess()).toMatchObject({ problem: { code: 'invalid_otp' } })
    expect(await spray(7)).toMatchObject(waits(2))
  })
})

function login(person: RegisteredUser, password: string) {
  return person.call(signIn.login, { username: person.email, password })
}
