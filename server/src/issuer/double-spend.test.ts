import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, codeFor, post, refresh, signInTo, type ThirdParty, userinfo } from '../../test/third-party.ts'

/** The engine ignores what becomes of `consume`, so nothing but our write stands in the way (oidc.md §2, hazard 1). */
const PARALLEL = 50
const ROUNDS = 5

let house: House
let ana: SignedIn
let organisation: Organisation
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  await allow(ana, app)
})
afterAll(() => house.close())

type Answer = { statusCode: number; json(): { error?: string; access_token: string; refresh_token: string } }

async function race(once: () => Promise<Answer>): Promise<Answer> {
  const answers = await Promise.all(Array.from({ length: PARALLEL }, once))
  const won = answers.filter(({ statusCode }) => statusCode === 200)
  const lost = answers.filter((answer) => answer.statusCode === 400 && answer.json().error === 'invalid_grant')
  expect([won.length, lost.length]).toEqual([1, PARALLEL - 1])
  return won[0] as Answer
}

describe(`${PARALLEL} at once`, () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'one code, round %i: exactly one wins',
    async () => {
      const { form } = await codeFor(ana, app)
      const won = await race(() => post(house, app, '/token', form))
      // Somebody else had the code: what it gave is ended, too (RFC 6749 §4.1.2).
      expect((await userinfo(house, won.json().access_token)).statusCode).toBe(401)
    },
  )

  test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'one refresh token, round %i: exactly one wins',
    async () => {
      const { refresh_token } = await signInTo(house, ana, app)
      const won = await race(() => refresh(house, app, refresh_token))
      expect((await refresh(house, app, won.json().refresh_token)).statusCode).toBe(400)
    },
  )

  test.each([1, 2, 3])(
    'tabs of one person that sign in to an app, round %i: none waits for the others in a ring',
    async () => {
      // A new app: all of them note the same first use of its connection, of its secret, and of itself.
      const fresh = await organisation.app()
      await allow(ana, fresh)
      const begun = performance.now()
      const tokens = await Promise.all(Array.from({ length: 10 }, () => signInTo(house, ana, fresh)))
      expect(tokens).toHaveLength(10)
      // PostgreSQL looks for rings after a second, and breaks one at a time.
      expect(performance.now() - begun).toBeLessThan(10_000)
      for (const { refresh_token } of tokens) await post(house, fresh, '/revoke', { token: refresh_token })
    },
  )

  test('nothing that the losers made is left behind', async () => {
    const left = await house.store.read.selectFrom('tokens').select('kind').where('consumed_at', 'is', null).execute()
    expect(left).toEqual([])
  })
})
