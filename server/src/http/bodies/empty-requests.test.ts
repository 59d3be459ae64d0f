import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { account, sessions } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookieHeader } from '../../../../testing/api-client.ts'
import { registerUser } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server?.close())

const TYPES: Record<string, string> = {
  multipart: 'multipart/form-data; boundary=b',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
}

test('requests whose headers announce no body are answered one after the other on one connection', async () => {
  const { cookies } = await registerUser(server)
  const own = `Host: localhost\r\nOrigin: ${server.config.url}\r\nCookie: ${cookieHeader(cookies)}\r\n`
  const requests: [line: string, status: number][] = [
    [`GET /v1${account.getAccount.path}`, 200],
    [`PUT /v1${account.setProfilePicture.path}`, 415],
    [`PUT /v1${account.setProfilePicture.path} multipart`, 400],
    ['POST /v1/auth/login', 400],
    ['POST /token', 400],
    ['POST /introspect', 400],
    // Many programs name a type in every request.
    ['POST /v1/auth/login json', 400],
    ['DELETE /v1/account/passkeys/x json', 404],
    ['POST /token form', 400],
    ['POST /revoke json', 400],
    ['POST /login form', 303],
    [`${sessions.refresh.method} /v1${sessions.refresh.path}`, 200],
    ['GET /userinfo', 401],
    ['GET /nothing', 404],
  ]
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const statuses: number[] = []
  for (const [line] of requests) {
    const [method, path, named = ''] = line.split(' ')
    const type = TYPES[named] ? `Content-Type: ${TYPES[named]}\r\n` : ''
    socket.write(`${method} ${path} HTTP/1.1\r\n${own}${type}\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    statuses.push(Number(String(answer).split(' ')[1]))
  }
  socket.destroy()
  expect(statuses).toEqual(requests.map(([, status]) => status))
})
