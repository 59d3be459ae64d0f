import { LIFETIMES } from '@vrata/contract'
import { expect, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, authorize, refresh, signInTo } from '../../test/third-party.ts'
import { pruneIssuer } from './prune.ts'

test('what has expired goes, what still counts or tells of a theft stays', async () => {
  const house = await openHouse()
  const ana = await house.as(people.ana)
  const app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
  const kinds = async () => {
    const rows = await house.store.read.selectFrom('tokens').select(['kind', 'consumed_at']).execute()
    return rows.map(({ kind, consumed_at }) => (consumed_at ? `spent ${kind}` : kind)).sort()
  }
  const waiting = () => house.store.read.selectFrom('oidc_temp').select('model').execute()

  const { refresh_token } = await signInTo(house, ana, app)
  await refresh(house, app, refresh_token)
  await authorize(ana, app, { prompt: 'consent' })
  expect(await pruneIssuer(house.deps)).toBe(0)

  house.clock.advance(LIFETIMES.access_token + 1)
  expect(await pruneIssuer(house.deps)).toBe(3)
  expect(await kinds()).toEqual(['RefreshToken', 'spent RefreshToken'])
  expect(await waiting()).toHaveLength(1)

  house.clock.advance(LIFETIMES.refresh_idle)
  expect(await pruneIssuer(house.deps)).toBe(3)
  expect(await kinds()).toEqual([])
  expect(await waiting()).toEqual([])
  await house.close()
})

test('many rows go in small steps', async () => {
  const house = await openHouse()
  const row = {
    model: 'SignOut',
    session_id: null,
    decision: null,
    payload: '{}',
    created_at: '2000',
    expires_at: '2000',
  }
  const rows = Array.from({ length: 1201 }, (_, i) => ({ ...row, id_hash: String(i) }))
  await house.store.db.insertInto('oidc_temp').values(rows).execute()
  expect(await pruneIssuer(house.deps)).toBe(1201)
  await house.close()
})
