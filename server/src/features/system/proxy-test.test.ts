import { LIFETIMES, system } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import { deleteProxyTests, insertProxyTest } from './proxy-test-store.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function storedToken(): Promise<string> {
  const token = newToken()
  const { db } = server.store
  await insertProxyTest(db, hashToken(token), timeAfter(server.clock.now(), LIFETIMES.proxy_test))
  return token
}
const rows = () => server.store.db.selectFrom('proxy_tests').selectAll().execute()
const ask = (token: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: '/v1/admin/proxy-test', payload: { token }, headers })

test('describes the request to the holder of a token, once', async () => {
  const token = await storedToken()
  expect(JSON.stringify(await rows())).not.toContain(token)
  const headers = { 'x-forwarded-for': '203.0.113.9, 127.0.0.2', 'x-forwarded-proto': 'https' }
  expect((await ask(token, headers)).json().data).toEqual({
    address: '203.0.113.9',
    peer: { address: '127.0.0.1', port: expect.any(Number) },
    forwarded_for: '203.0.113.9, 127.0.0.2',
    forwarded_proto: 'https',
  })
  expect(await rows()).toEqual([])
  expect((await ask(token, headers)).json().error.code).toBe('invalid_token')
})

test.each([
  ['203.0.113.9:4711, 127.0.0.2:80', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
])('the address of a client has no port: %s', async (forwarded_for, address) => {
  const headers = { 'x-forwarded-for': forwarded_for }
  expect((await ask(await storedToken(), headers)).json().data).toMatchObject({ address, forwarded_for })
})

test('describes only one of several simultaneous requests with one token', async () => {
  const token = await storedToken()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(token)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('answers neither strangers nor holders of an expired token', async () => {
  const token = await storedToken()
  server.clock.advance(LIFETIMES.proxy_test)
  for (const given of [token, newToken(), hashToken(token), 'x']) {
    const { statusCode, body } = await ask(given, { 'x-forwarded-for': '203.0.113.9' })
    expect([statusCode, JSON.parse(body).error.code]).toEqual([400, 'invalid_token'])
    expect(body).not.toContain('203.0.113.9')
  }
  expect(await server.browser().call(system.testProxies, { token })).toMatchObject({ ok: false, http: 400 })
  expect(await rows()).toHaveLength(1)
  await deleteProxyTests(server.store.db, hashToken('another'), toTime(server.clock.now()))
  expect(await rows()).toEqual([])
})
