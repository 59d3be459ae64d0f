import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let open: TestServer
let closed: TestServer
let proxied: TestServer
beforeAll(async () => {
  open = await startTestServer()
  closed = await startTestServer({ VRATA_METRICS_TOKEN: 'prometheus-may-come-in' })
  proxied = await startTestServer({ VRATA_URL: 'https://accounts.example.com' })
})
afterAll(async () => {
  await open.close()
  await closed.close()
  await proxied.close()
})

const ask = (server: TestServer, headers: Record<string, string> = {}) =>
  server.app.inject({ url: '/metrics', headers: { host: 'localhost:3000', ...headers } })

test('metrics count responses by route, never by URL (api §8)', async () => {
  await open.app.inject({ url: '/v1/auth/forgot-password/a-secret-token', headers: { host: 'localhost:3000' } })
  const answer = await ask(open)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toContain('route="/v1/auth/forgot-password/:token",status="400"')
  expect(answer.body).not.toContain('a-secret-token')
})

test.each([
  ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ['by another name', { host: 'accounts.example.com' }],
])('%s does not exist', async (_, headers) => {
  expect((await ask(open, headers)).statusCode).toBe(404)
})

test('without a token, an installation with a public address has no metrics', async () => {
  // A proxy on this machine that sends no X-Forwarded-For looks like a local client.
  expect((await ask(proxied)).statusCode).toBe(404)
})

test('with a configured token, metrics require it', async () => {
  expect((await ask(closed)).statusCode).toBe(404)
  expect((await ask(closed, { authorization: 'Bearer something else' })).statusCode).toBe(404)
  expect((await ask(closed, { authorization: 'Bearer prometheus-may-come-in' })).statusCode).toBe(200)
})
