import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { outbound } from '../../adapters/outbound-http.ts'
import { ClientKeys, FETCH_AGAIN } from './client-keys.ts'

const { milliseconds } = FETCH_AGAIN
afterAll(() => {
  FETCH_AGAIN.milliseconds = milliseconds
})

test('keys are fetched again for a certificate that is not among them, and not too often', async () => {
  let asked = 0
  const published = [{ kty: 'EC', x5c: ['first'] }]
  const server = createServer((_, response) => {
    asked += 1
    response.end(JSON.stringify({ keys: published }))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const jwks_uri = `http://localhost:${(server.address() as AddressInfo).port}/jwks`
  const keys = new ClientKeys(outbound({ loopback: true }))
  const certificatesFor = async (certificate: string) => {
    const found = await keys.of({ jwks: null, jwks_uri }, { kids: [], certificate })
    return (found?.keys as { x5c?: string[] }[] | undefined)?.map(({ x5c }) => x5c?.[0])
  }
  FETCH_AGAIN.milliseconds = 0
  expect(await certificatesFor('first')).toEqual(['first'])
  published.push({ kty: 'EC', x5c: ['second'] })
  expect(await certificatesFor('first')).toEqual(['first'])
  expect(asked).toBe(1)
  expect(await certificatesFor('second')).toEqual(['first', 'second'])
  expect(asked).toBe(2)
  FETCH_AGAIN.milliseconds = 600_000
  for (let times = 0; times < 3; times += 1) expect(await certificatesFor('unknown')).toEqual(['first', 'second'])
  expect(asked).toBe(3)
  server.close()
})
