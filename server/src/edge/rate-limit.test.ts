import { auth } from '@vrata/contract'
import { describe, expect, test } from 'vitest'
import { limitVisits, rateLimit } from './rate-limit.ts'

const refused = expect.objectContaining({ code: 'too_many_requests' })
const inOneNetwork = (n: number) => `2001:db8:1:2:${n.toString(16)}::1`

describe('whoever owns a network of IPv6, as every home does, counts as one', () => {
  test('when calling without a session', async () => {
    const limit = rateLimit()
    for (let n = 0; n < 120; n += 1) await limit(auth.refresh, inOneNetwork(n))
    await expect(limit(auth.refresh, inOneNetwork(999))).rejects.toEqual(refused)
    await limit(auth.refresh, '2001:db8:1:3::1')
  })

  test('when beginning to sign in to apps', async () => {
    const limit = limitVisits()
    for (let n = 0; n < 300; n += 1) await limit(inOneNetwork(n))
    await expect(limit(inOneNetwork(999))).rejects.toEqual(refused)
  })
})

test('neighbours of IPv4 count apart, however their address is written', async () => {
  const limit = limitVisits()
  for (let n = 0; n < 300; n += 1) await limit(n % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')
  await expect(limit('192.0.2.1')).rejects.toEqual(refused)
  await limit('192.0.2.2')
})
