import { afterAll, beforeAll } from 'vitest'
import { adapterConformance } from '../../test/adapter.conformance.ts'
import { type House, openHouse } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow } from '../../test/third-party.ts'
import { adapterFor } from './adapter.ts'
import { grantIdOf } from './grants.ts'
import { runUnit, Unit } from './unit-of-work.ts'

let house: House
let grant: { grantId: string; accountId: string; clientId: string; sessionUid: string }

beforeAll(async () => {
  house = await openHouse()
  const ana = await house.as(people.ana)
  const app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
  const { read } = house.store
  const connection = await read.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
  const session = await read.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  grant = {
    grantId: grantIdOf(connection.id, session.id),
    accountId: connection.user_id,
    clientId: app.client_id,
    sessionUid: session.id,
  }
})
afterAll(() => house.close())

const adapter = adapterFor(new Map([['openid', undefined]]))

adapterConformance('our tables', () => ({
  adapter,
  async request(work) {
    const clients = { find: () => Promise.reject() as never }
    const keys = { of: () => Promise.reject() as never }
    const refusals = { note: async () => undefined }
    const start = {
      clients,
      keys,
      refusals,
      published: keys.of,
      cookie: undefined,
      path: '/token',
      visitor: () => Promise.reject() as never,
    }
    const unit = new Unit(house.deps, start)
    return runUnit(unit, async () => {
      const value = await work()
      await unit.commit()
      return value
    })
  },
  grant: () => grant,
  advance: (seconds) => house.clock.advance(seconds),
}))
