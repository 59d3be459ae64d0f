import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { account, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { outputOf } from '../../test/processes/output-of.ts'
import { registerConfirmedUser, signInAgain } from '../../test/registered-user.ts'
import { phone as authenticator, withSecondFactor } from '../../test/second-factor.ts'
import { connectSocket, frame, listen, openSocket, requestUpgrade } from '../../test/sockets.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

let testServer: TestServer
beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

describe('authentication of sockets (security §4.4.1)', () => {
  test('accepts a page with a valid access cookie', async () => {
    const ana = await registerConfirmedUser(testServer)
    const listener = await connectSocket(testServer, ana)
    expect(listener.socket.connected).toBe(true)
  })

  test.each([
    ['a page of another site', 'https://evil.example'],
    ['a page in a sandbox', 'null'],
    ['a program without origin', ''],
  ])('rejects %s, even with the cookies', async (_, origin) => {
    expect((await requestUpgrade(testServer, await registerConfirmedUser(testServer), { origin })).status).toBe(403)
  })

  test('rejects a page without cookies', async () => {
    expect((await requestUpgrade(testServer, testServer.browser())).status).toBe(401)
  })

  test('rejects a sign-in that waits for its second factor', async () => {
    const ana = await registerConfirmedUser(testServer)
    const { phone } = await withSecondFactor(testServer, ana)
    const half = testServer.browser()
    await half.call(signIn.login, { username: ana.email, password: ana.password })
    expect([...half.cookies.keys()]).toContain('vrata_pending')
    expect((await requestUpgrade(testServer, half)).status).toBe(401)
    await half.call(signIn.loginOtp, { otp_token: authenticator(testServer, phone.secret).code() })
    expect((await requestUpgrade(testServer, half)).status).toBe(101)
  })

  test('asks a page with expired access to refresh, and then accepts it', async () => {
    const ana = await registerConfirmedUser(testServer)
    ana.cookies.delete('vrata_access')
    const listener = await openSocket(testServer, ana)
    const rejected = await new Promise<{ data?: object }>((resolve) =>
      listener.socket.on('connect_error', resolve as never),
    )
    expect(rejected.data).toEqual({ code: 'unauthenticated' })
    await ana.call(sessions.refresh)
    expect((await connectSocket(testServer, ana)).socket.connected).toBe(true)
  })

  test('rejects polling and other paths', async () => {
    const ana = await registerConfirmedUser(testServer)
    const polling = await ana.request({ url: '/socket.io/?EIO=4&transport=polling' })
    expect(polling.statusCode).toBe(404)
    expect((await requestUpgrade(testServer, ana, { path: '/elsewhere' })).status).toBe(404)
  })

  test('limits a session to 30 sockets without affecting others, and frees closed ones', async () => {
    const ana = await registerConfirmedUser(testServer)
    const bor = await registerConfirmedUser(testServer)
    const tabs = await Promise.all(
      Array.from({ length: 30 }, () => connectSocket(testServer, ana, { ip: '10.40.0.1' })),
    )
    expect((await requestUpgrade(testServer, ana, { ip: '10.40.0.2' })).status).toBe(429)
    expect((await connectSocket(testServer, bor, { ip: '10.40.0.1' })).socket.connected).toBe(true)
    tabs[0]?.socket.close()
    await expect.poll(async () => (await requestUpgrade(testServer, ana, { ip: '10.40.0.2' })).status).toBe(101)
  })

  test('limits new sockets per address', async () => {
    const ana = await registerConfirmedUser(testServer)
    const from = { ip: '10.41.0.1', origin: testServer.config.url }
    const statuses: number[] = []
    // A minute may end meanwhile, which restarts the count.
    while (statuses.at(-1) !== 429 && statuses.length < 1300)
      statuses.push((await requestUpgrade(testServer, { cookies: new Map() }, from)).status)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([401]))
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.length).toBeGreaterThan(600)
    expect((await requestUpgrade(testServer, ana, { ip: '10.41.0.2' })).status).toBe(101)
  })

  test('the limits of an address are multiplied by VRATA_LIMITS_FACTOR, which a school with one address sets', async () => {
    const [ana, bor] = [await registerConfirmedUser(testServer), await registerConfirmedUser(testServer)]
    const server = await testServer.secondNode({ VRATA_LIMITS_FACTOR: '0.1' })
    onTestFinished(() => server.close())
    const school = { ip: '10.42.0.1' }
    const pages = [ana, bor].flatMap((person) =>
      Array.from({ length: 20 }, () => connectSocket(server, person, school)),
    )
    await Promise.all(pages)
    expect((await requestUpgrade(server, bor, school)).status).toBe(429)
    expect((await requestUpgrade(server, bor, { ip: '10.42.0.2' })).status).toBe(101)

    const visitor = { ip: '10.42.0.3', origin: server.config.url }
    const statuses: number[] = []
    // As in the test above; the limit is six hundred without the factor.
    while (statuses.at(-1) !== 429 && statuses.length < 130)
      statuses.push((await requestUpgrade(server, { cookies: new Map() }, visitor)).status)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('a request that offers another protocol', () => {
  // The HTTP client of Java offers HTTP/2 with every request over http.
  const OFFER = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAAAAIAAAAB' }

  test('is answered with HTTP/1.1 (RFC 9110 §7.8)', async () => {
    const url = await listen(testServer)
    const headers = { ...OFFER, 'content-type': 'application/x-www-form-urlencoded' }
    const sent = request(`${url}/token`, { method: 'POST', headers })
    sent.end('grant_type=authorization_code')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toContain('json')
  })
})

test('a connection is closed when the code of sockets cannot be loaded', async () => {
  const file = JSON.stringify(join(import.meta.dirname, 'sockets.ts'))
  const program = `import { once } from 'node:events'
    import { createServer } from 'node:http'
    import { registerHooks } from 'node:module'
    import { connect } from 'node:net'
    const load = (url, context, next) => {
      if (url.includes('engine.io')) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      return next(url, context)
    }
    registerHooks({ load })
    const { mountSockets } = await import(${file})
    const server = createServer()
    mountSockets({ server, addHook() {} }, { log: { error: ({ err }) => console.log(err.code) } })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const page = connect(server.address().port, '127.0.0.1')
    page.write('GET /socket.io/ HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n\\r\\n')
    await once(page, 'close')
    console.log('closed')
    server.close()`
  expect(await outputOf(program)).toBe('EMFILE\nclosed\n')
})

describe('closes rejected connections, even when the client does not', () => {
  test.each(['/elsewhere', '//', 'http://:0/', '/socket.io/?EIO=4&transport=websocket', '/socket.io/?EIO=%zz'])(
    '%s',
    async (path) => {
      const { port } = new URL(await listen(testServer))
      const open = promisify(testServer.app.server.getConnections.bind(testServer.app.server))
      const before = await open()
      const knocking = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
      onTestFinished(() => void knocking.destroy())
      let answer = ''
      knocking.on('data', (data) => (answer += data)).on('error', () => {})
      knocking.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      )
      await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 4\d\d /)
      await expect.poll(() => open()).toBeLessThanOrEqual(before)
    },
  )
})

describe('hostile frames close their own socket only', () => {
  /** An open connection, and the socket of another user. */
  async function opened() {
    const ana = await registerConfirmedUser(testServer)
    const bystander = await connectSocket(testServer, await registerConfirmedUser(testServer))
    const { connection } = await requestUpgrade(testServer, ana)
    if (!connection) throw new Error('The upgrade was rejected')
    connection.write(frame('40'))
    await once(connection, 'data')
    return { ana, bystander, connection }
  }
  const closed = (connection: Duplex) => expect.poll(() => connection.destroyed || connection.readableEnded).toBe(true)

  test.each([
    ['a frame that is too long', frame('x'.repeat(4000))],
    ['a packet of no known kind', frame('9nonsense')],
    ['malformed JSON', frame('42{{{{')],
    ['missing attachments', frame('459999-["x",{"_placeholder":true,"num":0}]')],
    ['a frame without a mask', Buffer.from([0x81, 0x02, 0x34, 0x30])],
    ['a frame of a reserved kind', frame('x', 0xb)],
    ['an event', frame('42["join","user:somebody"]')],
    ['bytes that are not a frame', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('%s', async (_, sent) => {
    const { bystander, connection } = await opened()
    connection.on('data', () => {})
    connection.write(sent)
    await closed(connection)
    expect(bystander.socket.connected).toBe(true)
  })

  test('rejects other namespaces', async () => {
    const { connection } = await opened()
    let answered = ''
    connection.on('data', (data) => (answered += data))
    connection.write(frame('40/admin,'))
    await expect.poll(() => answered).toContain('44/admin,{"message":"Invalid namespace"}')
  })

  test.each([
    ['packets', frame('3')],
    ['pings', frame('', 9)],
  ])('a flood of %s', async (_, sent) => {
    const { bystander, connection } = await opened()
    connection.on('data', () => {})
    connection.write(Buffer.concat(Array(200).fill(sent)))
    await closed(connection)
    expect(bystander.socket.connected).toBe(true)
  })

  test('events are sent to their recipients only', async () => {
    const ana = await registerConfirmedUser(testServer)
    const mine = await connectSocket(testServer, ana)
    const other = await registerConfirmedUser(testServer)
    const bystander = await connectSocket(testServer, other)
    // PostgreSQL delivers notifications after the commit and in order: those of the registration have come by now.
    await other.call(account.updateAccount, { first_name: 'Bor' })
    await bystander.receives('account:updated')
    bystander.received.splice(0)
    await ana.call(account.updateAccount, { first_name: 'Ana' })
    await mine.receives('account:updated')
    expect(bystander.received).toEqual([])
  })
})

describe('the end of a session closes its sockets within a second (security §7.4.1)', () => {
  test('signed out from another device', async () => {
    const ana = await registerConfirmedUser(testServer)
    const phone = await signInAgain(testServer, ana)
    const [here, there] = [await connectSocket(testServer, ana), await connectSocket(testServer, phone)]
    await ana.call(sessions.logoutAll)
    // Waits for less than the period of the check for ended sessions.
    await there.gone()
    expect(there.received).toContain('session:ended')
    await here.receives('sessions:changed')
    expect(here.socket.connected).toBe(true)
  })

  test('a refresh keeps the socket of its session', async () => {
    const ana = await registerConfirmedUser(testServer)
    const listener = await connectSocket(testServer, ana)
    await ana.call(sessions.refresh)
    await ana.call(account.updateAccount, { first_name: 'Ana' })
    await listener.receives('account:updated')
  })
})

test('metrics contain the number of open sockets (api §8)', async () => {
  await connectSocket(testServer, await registerConfirmedUser(testServer))
  const { body } = await testServer.app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } })
  expect(Number(/^vrata_sockets (\d+)$/m.exec(body)?.[1])).toBeGreaterThan(0)
})
