import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { fewestBytesLeftBy } from '../../../../testing/old-generation.ts'
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

test('an actor and its copies have the device and language of the request', () => {
  const found = { request_id: 'req-1', ip: '192.0.2.1', os: 'Linux', browser: 'Firefox', locale: 'sl-SI' }
  expect(visitor()).toMatchObject(found)
  expect(actorWith(visitor(), { user_id: 'ana', locale: 'en-US' })).toMatchObject({
    ...found,
    user_id: 'ana',
    locale: 'en-US',
  })
})

test('nothing of an actor outlives its request until the old generation is collected (decision 0130)', async () => {
  const request = () => void Object.assign(visitor(), { user_id: 'ana', session_id: 'session' })
  expect(await fewestBytesLeftBy(request)).toBeLessThan(20)
})
