import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { Problem } from '@vrata/contract'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startListeningServer } from '../../test/listening.ts'
import type { TestServer } from '../../test/test-server.ts'
import { toProblem } from './problems.ts'

let server: TestServer
beforeAll(async () => {
  server = await startListeningServer()
})
afterAll(() => server?.close())

describe('a request that Node cannot parse is answered with the error envelope', () => {
  test('431 for headers and an address of more than 16 KB', async () => {
    const answer = await fetch(`${server.config.url}/v1/account?${'a'.repeat(17_000)}`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([431, 'no-store'])
    expect(await answer.json()).toEqual({
      status: 'error',
      error: expect.objectContaining({ code: 'headers_too_large', request_id: expect.any(String) }),
    })
  })

  const head = 'POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\n'
  test.each([
    ['text that is not HTTP', 'this is not HTTP\r\n\r\n'],
    // Request smuggling (ASVS 4.2.1).
    ['a length besides chunks', `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${head}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`],
    ['an unknown coding before chunks', `${head}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
    ['a line break within a header', `${head}X: a\rY: b\r\n\r\n`],
  ])('400 for %s', async (_, text) => {
    const answer = await responseTo(text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('"code":"invalid_request"')
  })
})

test('TRACE is not supported (security §13.4.4)', async () => {
  for (const path of ['/', '/v1/account', '/login', '/token']) {
    const answer = await responseTo(
      `TRACE ${path} HTTP/1.1\r\nHost: localhost\r\nX-Echo: me\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 40[45] /)
    expect(answer).not.toContain('X-Echo')
  }
})

test('a client that goes away while it sends its body is not taken for a database that is away', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  const arrived = Promise.withResolvers<void>()
  const found = Promise.withResolvers<Problem>()
  app.addHook('onRequest', async () => arrived.resolve())
  app.setErrorHandler((error) => found.resolve(toProblem(error)))
  app.post('/', async () => 'answer')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"')
  await arrived.promise
  socket.destroy()
  expect((await found.promise).code).toBe('request_timeout')
})

/** The response to a request in this form, once the server has closed the connection. */
async function responseTo(text: string): Promise<string> {
  const { hostname, port } = new URL(server.config.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}
