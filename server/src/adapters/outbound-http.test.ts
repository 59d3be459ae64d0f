import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { isLoopbackUrl } from '../lib/loopback.ts'
import { outbound } from './outbound-http.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  open.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const publicServer = outbound({ loopback: false })
const loopbackServer = outbound({ loopback: true })

describe('requests to URLs chosen by clients (security §1.3.6)', () => {
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.1.2.3/',
    'https://172.20.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[::]/',
    'https://localhost/',
    'http://localhost/',
  ])('are not sent to %s', async (url) => {
    await expect(publicServer.send(url)).rejects.toThrow('not a public address')
  })

  test('require https', async () => {
    await expect(publicServer.send('http://192.0.43.8/')).rejects.toThrow('not a public address')
    await expect(loopbackServer.send('http://192.0.43.8/')).rejects.toThrow('not a public address')
    await expect(publicServer.send('file:///etc/passwd')).rejects.toThrow('not a web address')
  })

  test('reach loopback addresses only from an installation on loopback', async () => {
    const url = await serving((_, response) => response.end('here'))
    expect((await loopbackServer.send(url)).body.toString()).toBe('here')
    await expect(publicServer.send(url)).rejects.toThrow('not a public address')
    await expect(loopbackServer.send('https://10.0.0.1/')).rejects.toThrow('not a public address')
  })

  test('do not follow redirects', async () => {
    let asked = 0
    const url = await serving((_, response) => {
      asked += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await loopbackServer.send(url)).status).toBe(302)
    expect(asked).toBe(1)
  })

  test('fail when the response is too long or too slow', async () => {
    const long = await serving((_, response) => response.end('x'.repeat(2000)))
    await expect(loopbackServer.send(long, { bytes: 1000 })).rejects.toThrow('too long')
    const slow = await serving((_, response) => void response.write('a'))
    await expect(loopbackServer.send(slow, { timeout: 100 })).rejects.toThrow(/abort|timeout/i)
  })

  test('that read only the status do not fail when the rest of the response is too long or too slow', async () => {
    const long = await serving((_, response) => response.end('x'.repeat(2000)))
    expect(await loopbackServer.send(long, { bytes: 1000, statusOnly: true })).toMatchObject({ status: 200 })
    const slow = await serving((_, response) => void response.write('a'))
    expect(await loopbackServer.send(slow, { timeout: 500, statusOnly: true })).toMatchObject({ status: 200 })
  })

  test('fail when the server switches protocols', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    open.push(server)
    server.on('request', ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: nothing\r\n\r\n')
    })
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await expect(loopbackServer.send(url, { timeout: 200 })).rejects.toThrow()
  })

  test('send the body of a POST', async () => {
    const url = await serving(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      response.end(`${request.method} ${text}`)
    })
    const answer = await loopbackServer.send(url, { method: 'POST', body: 'logout_token=x' })
    expect(answer.body.toString()).toBe('POST logout_token=x')
  })
})

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:3000', true],
  ['https://id.example', false],
  ['http://localhost.example', false],
])('isLoopbackUrl(%s) is %s', (url, expected) => {
  expect(isLoopbackUrl(url)).toBe(expected)
})
