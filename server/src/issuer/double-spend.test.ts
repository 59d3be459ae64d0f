import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, codeFor, post, refresh, signInTo, type ThirdParty, userinfo } from '../../test/third-party.ts'

/** The engine ignores what becomes of `consume`, so nothing but our write stands in the way (oidc.md §2, hazard 1). */
const PARALLEL = 50
const ROUNDS = 5

let house: House
let ana: SignedIn
let app: ThirdParty

beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
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

  test('nothing that the losers made is left behind', async () => {
    const left = await house.store.read.selectFrom('tokens').select('kind').where('consumed_at', 'is', null).execute()
    expect(left).toEqual([])
  })
})
