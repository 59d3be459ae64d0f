import { once } from 'node:events'
import { request } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ipOf, rememberClientIp, trustedProxies, withoutPort } from './client-ip.ts'

test('an address is trusted by the rules of Fastify, at the first question and later', () => {
  const rules = ['loopback', '10.0.0.0/8']
  const [isTrusted, asFastify] = [trustedProxies(rules.join(', ')), proxyAddr.compile(rules)]
  const addresses = [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '192.0.2.1',
    '2001:db8::1',
    'not an address',
    '',
    '1'.repeat(5000),
  ]
  const answers = () => addresses.map((address) => isTrusted(address, 0))
  const expected = addresses.map((address) => asFastify(address, 0))
  expect(expected).toEqual([true, true, true, true, false, false, false, false, false])
  expect([answers(), answers()]).toEqual([expected, expected])
})

test.each([
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ['203.0.113.9', '203.0.113.9'],
  // Addresses without a port, and invalid ones.
  ['2001:db8::1', '2001:db8::1'],
  ['2001:db8::1:443', '2001:db8::1:443'],
  ['203.0.113.9:', '203.0.113.9:'],
  ['203.0.113.9:port', '203.0.113.9:port'],
  ['203.0.113:4711', '203.0.113:4711'],
  ['[203.0.113.9]:4711', '[203.0.113.9]:4711'],
  ['unknown', 'unknown'],
  ['', ''],
])('the address of %j is %j', (entry, address) => {
  expect(withoutPort(entry)).toBe(address)
})

test('a proxy is trusted that a port follows', () => {
  const isTrusted = trustedProxies('10.0.0.0/8')
  const entries = ['10.1.2.3:4711', '203.0.113.9:4711']
  const answers = () => entries.map((entry) => isTrusted(entry, 0))
  expect([answers(), answers()]).toEqual([
    [true, false],
    [true, false],
  ])
})

test('without names of proxies all addresses are trusted, or none', () => {
  expect(trustedProxies(true)('192.0.2.1', 0)).toBe(true)
  expect(trustedProxies(false)('127.0.0.1', 0)).toBe(false)
})

test('the address of a disconnected client is known', async () => {
  const app = Fastify()
  onTestFinished(() => app.close())
  rememberClientIp(app)
  const address = Promise.withResolvers<string>()
  app.get('/', async (request) => {
    const { socket } = request.raw
    await once(socket.destroy(), 'close')
    address.resolve(ipOf(request))
  })
  const sent = request(await app.listen({ host: '127.0.0.1', port: 0 })).end()
  await once(sent, 'error')
  expect(await address.promise).toBe('127.0.0.1')
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['Your account is locked. Call 555-0199', '127.0.0.1'],
  ['unknown', '127.0.0.1'],
])('with every proxy trusted, a client that sends %j has the address %j', async (forwarded, address) => {
  const app = Fastify({ trustProxy: true })
  onTestFinished(() => app.close())
  rememberClientIp(app)
  app.get('/', async (request) => ipOf(request))
  const { body } = await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })
  expect(body).toBe(address)
})
