import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { activity, signIn } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { readSettings } from '../../config/config.ts'
import { openTracing } from './open-tracing.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  links?: { traceId: string; spanId: string }[]
}
type Sent = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] }

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const received: { headers: Record<string, unknown>; body: Sent }[] = []
/** A small receiver of OTLP over HTTP. */
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})

let server: TestServer
let ana: SignedIn
let asked: { trace: string | undefined; request_id: unknown }
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  server = await startTestServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  ana = await server.as(people.ana)
  await server.outbox()
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`
  const answer = await ana.request({ url: activity.listActivity.path.replace(/^/, '/v1'), headers: { traceparent } })
  expect(answer.statusCode).toBe(200)
  asked = { trace: loggedTrace(String(answer.headers['x-request-id'])), request_id: answer.headers['x-request-id'] }
  await ana.call(signIn.login, { username: people.ana.email, password: 'not-the-password-9' })
  expect((await ana.request({ url: '/nowhere/at/all' })).statusCode).toBe(404)
  await server.close()
  receiver.close()
})
afterAll(() => receiver.closeAllConnections())

function loggedTrace(reqId: string): string | undefined {
  const lines = server.logged().trim().split('\n')
  return lines.map((line) => JSON.parse(line)).find((line) => line.reqId === reqId && line.msg === 'answered')?.trace_id
}
const spans = () =>
  received.flatMap(({ body }) => body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((s) => s.spans)))
const attribute = ({ attributes }: { attributes: Attribute[] }, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('a request continues the trace of its caller, down to the statements of the database', () => {
  const [request, ...more] = spans().filter(({ traceId, name }) => traceId === TRACE && name.startsWith('GET '))
  if (!request) throw new Error('no span of the request was received')
  expect(more).toEqual([])
  expect(request).toMatchObject({ name: 'GET /v1/account/activity', parentSpanId: 'b7ad6b7169203331' })
  expect(attribute(request, 'http.response.status_code')).toBe(200)
  expect(attribute(request, 'vrata.request_id')).toBe(asked.request_id)
  expect(asked.trace).toBe(TRACE)
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === request.spanId)
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['select sessions', 'select activities']))
  const systems = new Set(statements.map((span) => attribute(span, 'db.system.name')))
  expect([...systems]).toEqual([testEngine === 'postgres' ? 'postgresql' : 'sqlite'])
})

test('a sign-in with a body has its statements, and its problem', () => {
  const login = spans().filter(({ name }) => name === 'POST /v1/auth/login')
  expect(login.map((span) => attribute(span, 'error.type'))).toEqual(['invalid_credentials'])
  const below = spans().filter(({ traceId }) => traceId === login[0]?.traceId)
  expect(below.length).toBeGreaterThan(2)
})

test('a request without a route has no name of one', () => {
  const [lost] = spans().filter((span) => attribute(span, 'http.response.status_code') === 404)
  if (!lost) throw new Error('no span of the request was received')
  expect([lost.name, attribute(lost, 'http.route')]).toEqual(['GET', undefined])
})

test('a job is a trace of its own, with a link to the request that has queued it', () => {
  const [mail, ...others] = spans().filter(({ name }) => name === 'job mail')
  const [registered, ...more] = spans().filter(({ name }) => name === 'POST /v1/auth/register')
  if (!mail || !registered) throw new Error('a span was not received')
  expect([others, more]).toEqual([[], []])
  expect(mail.traceId).not.toBe(registered.traceId)
  expect(mail.links).toMatchObject([{ traceId: registered.traceId, spanId: registered.spanId }])
})

test('a job queued without a trace, or in one that is not recorded, has no link', async () => {
  const config = readSettings({ VRATA_DATA_DIR: '/nowhere', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const tracing = await openTracing(config, { warn: () => {} })
  if (!tracing) throw new Error('there are no traces')
  expect(tracing.traceparent()).toBeUndefined()
  const found: (string | undefined)[] = []
  for (const flag of ['00', '01']) {
    const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-${flag}` }
    tracing.request({ id: 'a', method: 'GET', headers }).run(() => void found.push(tracing.traceparent()))
  }
  expect(found).toEqual([
    undefined,
    expect.stringMatching(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`)),
  ])
  // A value that an operator has changed by hand does not stop the job.
  for (const queued_by of [null, 'nonsense'])
    expect(await tracing.job('mail', queued_by, async () => 'done')).toBe('done')
  await tracing.close()
})

test('the receiver gets the standard headers and attributes, and no values', () => {
  expect(received[0]?.headers.authorization).toBe('Bearer collector')
  const resource = received[0]?.body.resourceSpans[0]?.resource as { attributes: Attribute[] }
  expect(attribute(resource, 'service.name')).toBe('vrata')
  expect(attribute(resource, 'deployment.environment.name')).toBe('test')
  expect(JSON.stringify(received)).not.toContain(people.ana.email)
})

test('a receiver that does not answer delays the end by two seconds, and the log says why', async () => {
  let answers = false
  const silent = createServer((_, response) => void (answers && response.writeHead(401).end('a token is missing')))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const reports: object[] = []
  const open = async (endpoint: string) => {
    const config = readSettings({ VRATA_DATA_DIR: '/nowhere', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
    const tracing = await openTracing(config, { warn: (fields) => reports.push(fields) })
    await tracing?.job('mail', null, async () => {})
    return tracing
  }
  const waiting = await open(`http://127.0.0.1:${port}`)
  // The SDK itself would wait ten seconds, and then report an error of its own.
  await waiting?.close()
  expect(reports).toEqual([{ error: 'the receiver did not answer at the end; the last spans are lost' }])
  answers = true
  const refused = await open(`http://127.0.0.1:${port}`)
  await refused?.close()
  expect(reports.slice(1)).toEqual([{ error: 'Unauthorized' }])
  silent.closeAllConnections()
  silent.close()
})

test.each<[string, Record<string, string>]>([
  ['no endpoint', {}],
  ['none', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_TRACES_EXPORTER: 'none' }],
  ['disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'TRUE' }],
])('there are no traces: %s', (_, env) => {
  expect(readSettings({ VRATA_DATA_DIR: '/nowhere', ...env }).tracing).toBeUndefined()
})

test('an endpoint for traces alone is used as it is', () => {
  const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://traces.example.com/in'
  expect(readSettings({ VRATA_DATA_DIR: '/nowhere', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }).tracing).toMatchObject({
    url: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    sampler: 'parentbased_always_on',
  })
})
