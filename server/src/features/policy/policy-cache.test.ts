import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { LocalSignals } from '../../db/signals/signals.ts'
import { POLICY_CHANNEL, PolicyCache } from './policy-cache.ts'

let server: TestServer
let signals: LocalSignals
let cache: PolicyCache
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  signals = new LocalSignals(console.error)
  cache = new PolicyCache(signals)
})

const find = () => cache.find(server.store.db)

test('calls that need the policy at the same time read it once, and those soon after not again', async () => {
  const [one, other] = await Promise.all([find(), find()])
  expect(other).toBe(one)
  expect(await find()).toBe(one)
})

test('a call after a change does not use a read that began before it', async () => {
  const before = find()
  signals.tell(POLICY_CHANNEL, '')
  const after = find()
  expect(await after).not.toBe(await before)
  expect(await find()).toBe(await after)
})
