import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
// biome-ignore lint/style/noRestrictedImports: V8 gives a function that collects garbage to new contexts only
import { runInNewContext } from 'node:vm'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { actorWith } from '../actors.ts'
import { anonymousActor } from './request-guards.ts'

const deps = {
  config: { secure: false },
  branding: { now: () => ({ languages: ['sl-SI', 'en-US'] as const, default_language: 'en-US' as const }) },
}
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

function visitor() {
  const headers = { 'user-agent': FIREFOX, 'accept-language': 'sl' }
  return anonymousActor(deps, { id: 'req-1', ip: '192.0.2.1', headers } as FastifyRequest)
}

test('an actor says from which device and in which language a request comes, and so do its copies', () => {
  const found = { request_id: 'req-1', ip: '192.0.2.1', os: 'Linux', browser: 'Firefox', locale: 'sl-SI' }
  expect(visitor()).toMatchObject(found)
  expect(actorWith(visitor(), { user_id: 'ana', locale: 'en-US' })).toMatchObject({
    ...found,
    user_id: 'ana',
    locale: 'en-US',
  })
})

test('nothing of an actor outlives its request until the old generation is collected (decision 0130)', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  const requests = (times: number) => {
    for (let i = 0; i < times; i += 1) Object.assign(visitor(), { user_id: 'ana', session_id: 'session' })
    // What survives two collections of the young generation is in the old one.
    collect({ type: 'minor' })
    collect({ type: 'minor' })
  }
  requests(1000)
  const before = old()
  requests(10_000)
  expect((old() - before) / 10_000).toBeLessThan(20)
})
