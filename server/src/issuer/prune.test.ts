import { LIFETIMES } from '@vrata/contract'
import { expect, test } from 'vitest'
import { createOrganization } from '../../test/organization.ts'
import { people } from '../../test/people.ts'
import { startTestServer } from '../../test/test-server.ts'
import { allow, authorize, refresh, signInTo } from '../../test/third-party.ts'
import { pruneIssuer } from './prune.ts'

test('deletes expired rows and keeps consumed refresh tokens until they expire', async () => {
  const server = await startTestServer()
  const ana = await server.as(people.ana)
  const app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
  const kinds = async () => {
    const rows = await server.store.read.selectFrom('tokens').select(['kind', 'consumed_at']).execute()
    return rows.map(({ kind, consumed_at }) => (consumed_at ? `consumed ${kind}` : kind)).sort()
  }
  const models = () => server.store.read.selectFrom('provider_models').select('model').execute()

  const { refresh_token } = await signInTo(server, ana, app)
  await refresh(server, app, refresh_token)
  await authorize(ana, app, { prompt: 'consent' })
  expect(await pruneIssuer(server.deps)).toBe(0)

  server.clock.advance(LIFETIMES.access_token + 1)
  expect(await pruneIssuer(server.deps)).toBe(3)
  expect(await kinds()).toEqual(['RefreshToken', 'consumed RefreshToken'])
  expect(await models()).toHaveLength(1)

  server.clock.advance(LIFETIMES.refresh_idle)
  expect(await pruneIssuer(server.deps)).toBe(3)
  expect(await kinds()).toEqual([])
  expect(await models()).toEqual([])
  await server.close()
})

test('deletes many rows in batches', async () => {
  const server = await startTestServer()
  const row = {
    model: 'SignOut',
    session_id: null,
    decision: null,
    payload: '{}',
    created_at: '2000',
    expires_at: '2000',
  }
  const rows = Array.from({ length: 1201 }, (_, i) => ({ ...row, id_hash: String(i) }))
  await server.store.db.insertInto('provider_models').values(rows).execute()
  expect(await pruneIssuer(server.deps)).toBe(1201)
  await server.close()
})
