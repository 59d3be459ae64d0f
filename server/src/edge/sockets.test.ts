import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { account, auth } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type House, openHouse } from '../../test/house.ts'
import { elsewhere, newcomer } from '../../test/newcomer.ts'
import { phone as authenticator, withSecondFactor } from '../../test/second-factor.ts'
import { connectEar, frame, knock, listen, openEar } from '../../test/sockets.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

describe('ASVS 4.4.1: who gets a socket', () => {
  test('a page of ours with valid access', async () => {
    const ana = await newcomer(house)
    const ear = await connectEar(house, ana)
    expect(ear.socket.connected).toBe(true)
  })

  test.each([
    ['a page of another site', 'https://evil.example'],
    ['a page in a sandbox', 'null'],
    ['a program that names no origin', ''],
  ])('not %s, even with the cookies', async (_, origin) => {
    expect((await knock(house, await newcomer(house), { origin })).status).toBe(403)
  })

  test('nobody without cookies', async () => {
    expect((await knock(house, house.visitor())).status).toBe(401)
  })

  test('nobody who still owes the second factor', async () => {
    const ana = await newcomer(house)
    const { phone } = await withSecondFactor(house, ana)
    const half = house.visitor()
    await half.call(auth.login, { username: ana.email, password: ana.password })
    expect([...half.cookies.keys()]).toContain('vrata_pending')
    expect((await knock(house, half)).status).toBe(401)
    await half.call(auth.loginOtp, { otp_token: authenticator(house, phone.secret).code() })
    expect((await knock(house, half)).status).toBe(101)
  })

  test('with expired access the page is told to renew it, and then comes in', async () => {
    const ana = await newcomer(house)
    ana.cookies.delete('vrata_access')
    const ear = await openEar(house, ana)
    const refused = await new Promise<{ data?: object }>((resolve) => ear.socket.on('connect_error', resolve as never))
    expect(refused.data).toEqual({ code: 'unauthenticated' })
    await ana.call(auth.refresh)
    expect((await connectEar(house, ana)).socket.connected).toBe(true)
  })

  test('polling does not exist, nor does any other path', async () => {
    const ana = await newcomer(house)
    const polling = await ana.request({ url: '/socket.io/?EIO=4&transport=polling' })
    expect(polling.statusCode).toBe(404)
    expect((await knock(house, ana, { path: '/elsewhere' })).status).toBe(404)
  })

  test('a session has at most 30 at once, others are not disturbed, and room comes back', async () => {
    const ana = await newcomer(house)
    const bor = await newcomer(house)
    const tabs = await Promise.all(Array.from({ length: 30 }, () => connectEar(house, ana, { ip: '10.40.0.1' })))
    expect((await knock(house, ana, { ip: '10.40.0.2' })).status).toBe(429)
    expect((await connectEar(house, bor, { ip: '10.40.0.1' })).socket.connected).toBe(true)
    tabs[0]?.socket.close()
    await expect.poll(async () => (await knock(house, ana, { ip: '10.40.0.2' })).status).toBe(101)
  })

  test('an address that opens sockets without end waits; another does not', async () => {
    const ana = await newcomer(house)
    const from = { ip: '10.41.0.1', origin: house.config.url }
    const statuses: number[] = []
    for (let i = 0; i < 610; i += 1) statuses.push((await knock(house, { cookies: new Map() }, from)).status)
    expect(new Set(statuses.slice(0, 600))).toEqual(new Set([401]))
    expect(statuses.at(-1)).toBe(429)
    expect((await knock(house, ana, { ip: '10.41.0.2' })).status).toBe(101)
  })
})

describe('whoever is turned away is not waited for, even when they never hang up', () => {
  test.each(['/elsewhere', '//', 'http://:0/', '/socket.io/?EIO=4&transport=websocket', '/socket.io/?EIO=%zz'])(
    '%s',
    async (path) => {
      const { port } = new URL(await listen(house))
      const open = promisify(house.app.server.getConnections.bind(house.app.server))
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
      await expect.poll(() => open(), { timeout: 3000 }).toBeLessThanOrEqual(before)
    },
  )
})

describe('hostile frames end their socket, and nobody else’s', () => {
  /** A connection that has said hello, and a bystander. */
  async function opened() {
    const ana = await newcomer(house)
    const bystander = await connectEar(house, await newcomer(house))
    const { connection } = await knock(house, ana)
    if (!connection) throw new Error('The door stayed closed')
    connection.write(frame('40'))
    await once(connection, 'data')
    return { ana, bystander, connection }
  }
  const closed = (connection: Duplex) =>
    expect.poll(() => connection.destroyed || connection.readableEnded, { timeout: 5000 }).toBe(true)

  test.each([
    ['a frame that is too long', frame('x'.repeat(4000))],
    ['a packet of no known kind', frame('9nonsense')],
    ['JSON that is none', frame('42{{{{')],
    ['attachments that never come', frame('459999-["x",{"_placeholder":true,"num":0}]')],
    ['a frame without a mask', Buffer.from([0x81, 0x02, 0x34, 0x30])],
    ['a frame of a reserved kind', frame('x', 0xb)],
    ['an event: pages have nothing to say', frame('42["join","user:somebody"]')],
    ['bytes that are no frame at all', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('%s', async (_, sent) => {
    const { bystander, connection } = await opened()
    connection.on('data', () => {})
    connection.write(sent)
    await closed(connection)
    expect(bystander.socket.connected).toBe(true)
  })

  test('another room than the one there is, is refused', async () => {
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

  test('nobody hears what is told to somebody else', async () => {
    const ana = await newcomer(house)
    const mine = await connectEar(house, ana)
    const bystander = await connectEar(house, await newcomer(house))
    await ana.call(account.updateAccount, { first_name: 'Ana' })
    await mine.hears('account:updated')
    expect(bystander.heard).toEqual([])
  })
})

describe('ASVS 7.4.1: a session that ends takes its sockets along within a second', () => {
  test('signed out from another device', async () => {
    const ana = await newcomer(house)
    const phone = await elsewhere(house, ana)
    const [here, there] = [await connectEar(house, ana), await connectEar(house, phone)]
    const began = performance.now()
    await ana.call(auth.logoutAll)
    await there.gone()
    expect(performance.now() - began).toBeLessThan(1000)
    expect(there.heard).toContain('session:ended')
    await here.hears('sessions:changed')
    expect(here.socket.connected).toBe(true)
  })

  test('a session that goes on keeps its socket through a refresh', async () => {
    const ana = await newcomer(house)
    const ear = await connectEar(house, ana)
    await ana.call(auth.refresh)
    await ana.call(account.updateAccount, { first_name: 'Ana' })
    await ear.hears('account:updated')
  })
})

test('§8 operators see how many sockets are open', async () => {
  await connectEar(house, await newcomer(house))
  const { body } = await house.app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } })
  expect(Number(/^vrata_sockets (\d+)$/m.exec(body)?.[1])).toBeGreaterThan(0)
})
