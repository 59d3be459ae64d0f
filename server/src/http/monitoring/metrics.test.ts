import { signIn } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, post, signInTo } from '../../../test/third-party.ts'
import { openMetrics } from './open-metrics.ts'
import { listenForMetrics } from './serve-metrics.ts'

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

test('metrics count sign-ins by result, mails, jobs and tokens by kind', async () => {
  const ana = await open.as(people.ana)
  const stranger = open.browser()
  await stranger.call(signIn.login, { username: people.ana.email, password: 'not-the-password-9' })
  const form = new URLSearchParams({ username: people.ana.email, password: 'not-the-password-9' })
  await stranger.request({
    method: 'POST',
    url: '/login',
    payload: String(form),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  await open.as(people.ana)
  await open.outbox()
  const organization = await createOrganization(open, ana)
  const robot = await organization.app({ name: 'Robot', type: 'service' })
  expect((await post(open, robot, '/token', { grant_type: 'client_credentials' })).statusCode).toBe(200)
  const app = await organization.app()
  await allow(ana, app)
  // The first ones fill caches; the later ones are written in another way.
  for (let i = 0; i < 4; i++) await signInTo(open, ana, app)
  const unsupported = { grant_type: 'urn:example:someone-s-own' }
  expect((await post(open, robot, '/token', unsupported)).statusCode).toBe(400)

  const { body } = await ask(open)
  const lines = body.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'vrata_sign_ins_total{method="registration",result="signed_in"} 1',
      'vrata_sign_ins_total{method="password",result="signed_in"} 1',
      'vrata_sign_ins_total{method="password",result="invalid_credentials"} 2',
      'vrata_mails_total{type="confirm_email",outcome="sent"} 1',
      'vrata_grants_total{grant_type="client_credentials",result="issued"} 1',
      'vrata_grants_total{grant_type="other",result="unsupported_grant_type"} 1',
      'vrata_grants_total{grant_type="authorization_code",result="issued"} 4',
      'vrata_tokens_total{kind="ClientCredentials"} 1',
      'vrata_tokens_total{kind="AuthorizationCode"} 4',
      'vrata_tokens_total{kind="AccessToken"} 4',
      'vrata_database_up 1',
      'vrata_oldest_due_job_seconds 0',
      'vrata_last_backup_timestamp_seconds 0',
    ]),
  )
  expect(body).toMatch(/^vrata_jobs_total\{kind="mail",outcome="done"\} [1-9]/m)
  expect(body).toMatch(/^vrata_nodejs_eventloop_lag_p99_seconds /m)
  expect(body).not.toContain('someone-s-own')
  expect(body).not.toContain(people.ana.email)
})

test('metrics count due jobs, and say when the database does not answer and the server is not ready', async () => {
  const own = await startTestServer()
  // The first one that fails is then an increase, as the alert expects.
  expect((await ask(own)).body).toMatch(/^vrata_jobs_total\{kind="mail",outcome="failed"\} 0$/m)
  await own.as(people.bor)
  own.clock.advance(90)
  const { body } = await ask(own)
  expect(body).toMatch(/^vrata_jobs_due\{kind="mail"\} 1$/m)
  expect(body).toMatch(/^vrata_oldest_due_job_seconds 90$/m)
  expect(body).toMatch(/^vrata_ready 1$/m)
  expect(body).toMatch(/^vrata_signals_missing_seconds 0$/m)
  await own.store.close()
  const without = (await ask(own)).body
  expect(without).toContain('vrata_database_up 0')
  expect(without).toMatch(/^vrata_ready 0$/m)
  expect(without).not.toMatch(/^vrata_oldest_due_job_seconds /m)
  await own.close()
})

test('at an address of its own, the public one has no metrics', async () => {
  const settings = { metrics_listen: { host: '127.0.0.1', port: 0 }, metrics_token: 'prometheus-may-come-in' }
  const { metrics } = await openMetrics({ ...settings, url: 'https://accounts.example.com' })
  const listener = await listenForMetrics(settings, metrics)
  const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${listener?.port}${path}`, { headers })
  const token = { authorization: 'Bearer prometheus-may-come-in' }
  expect((await get('/metrics')).status).toBe(401)
  expect((await get('/', token)).status).toBe(404)
  const answer = await get('/metrics', token)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(await answer.text()).toContain('vrata_info')
  await listener?.close()
  await expect(get('/metrics')).rejects.toThrow()
  const own = await startTestServer({ VRATA_METRICS_LISTEN: '127.0.0.1:0' })
  expect((await ask(own)).statusCode).toBe(404)
  await own.close()
})

test('nothing is counted when metrics are off', async () => {
  const config = { metrics_listen: undefined, metrics_token: undefined, url: 'https://accounts.example.com' }
  expect((await openMetrics(config)).metrics).toBeUndefined()
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
