import type { system } from '@vrata/contract'
import { expect, test } from 'vitest'
import { type Caller, describeArrival, INVENTED } from './arrival.ts'

// Cases that one machine cannot produce with a real proxy: other addresses than loopback. `client-address.test.ts` has nginx.

const PROXY = '10.0.0.5'
const OUTER = '203.0.113.80'
const HERE = '10.0.0.6'
const caller: Caller = { secure: true, local: { address: HERE, port: 50_000 } }

function says(trust_proxy: string | boolean, seen: Partial<system.Arrival> & { address: string }, from = caller) {
  const peer = { address: PROXY, port: 40_000 }
  return () => describeArrival({ trust_proxy }, from, { peer, forwarded_for: null, forwarded_proto: null, ...seen })
}

test('an address of this network is right, and one that may be of a proxy is named', () => {
  expect(says(PROXY, { address: HERE, forwarded_for: HERE })()).toBe(
    'the server sees 10.0.0.6, and believes no invented address',
  )
  expect(says(PROXY, { address: OUTER, forwarded_for: `${INVENTED}, ${OUTER}` })()).toBe(
    'the server sees 203.0.113.80 (here 10.0.0.6; right unless that is a proxy), and believes no invented address',
  )
  const mapped = { address: `::ffff:${PROXY}`, port: 40_000 }
  expect(says(PROXY, { address: HERE, forwarded_for: HERE, peer: mapped })()).toContain('the server sees 10.0.0.6,')
})

test('another proxy in front of one that replaces the header is noticed by the protocol', () => {
  expect(says(PROXY, { address: OUTER, forwarded_for: OUTER, forwarded_proto: 'http' })).toThrow(
    'another proxy is in front of the one that sends X-Forwarded-For: 203.0.113.80; let that one add to the header, and name both in VRATA_TRUST_PROXY',
  )
  const chain = `${INVENTED}, ${HERE}, ${OUTER}`
  expect(says(PROXY, { address: OUTER, forwarded_for: chain })).toThrow(
    'all people have the address of a proxy, 203.0.113.80; add it to VRATA_TRUST_PROXY',
  )
  expect(says(`${PROXY}, ${OUTER}`, { address: HERE, forwarded_for: chain, forwarded_proto: 'http' })()).toBe(
    'the server sees 10.0.0.6, and believes no invented address; X-Forwarded-Proto is http, which does not matter: VRATA_URL decides',
  )
})

test('a network of proxies that has other machines, too, is too wide', () => {
  const chain = `${INVENTED}, ${HERE}`
  expect(says('10.0.0.0/8', { address: INVENTED, forwarded_for: chain })).toThrow(
    '10.0.0.6, from which this request came, counts as a proxy: it can pose as any other address; name only the proxies in VRATA_TRUST_PROXY, or let them replace X-Forwarded-For',
  )
  // A proxy that replaces the header does not let them.
  expect(says('10.0.0.0/8', { address: HERE, forwarded_for: HERE })()).toContain('believes no invented address')
  // The machine of the proxy itself has to be trusted.
  const onProxy: Caller = { secure: true, local: { address: PROXY, port: 50_000 } }
  const seen = { address: INVENTED, forwarded_for: `${INVENTED}, ${PROXY}` }
  expect(says(PROXY, seen, onProxy)()).toContain('the server sees 10.0.0.5')
})

test('without TLS, a connection of this command itself does not count as a proxy', () => {
  const direct: Caller = { secure: false, local: { address: HERE, port: 40_000 } }
  const peer = { address: HERE, port: 40_000 }
  expect(says(false, { address: HERE, forwarded_for: INVENTED, peer }, direct)()).toContain('there is no proxy')
  const elsewhere = { address: PROXY, forwarded_for: INVENTED, peer: { address: PROXY, port: 40_000 } }
  expect(says(false, elsewhere, direct)).toThrow('it does not send X-Forwarded-For')
})
