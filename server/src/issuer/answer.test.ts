import { problem } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, authorizeUrl, codeFor, post, type ThirdParty } from '../../test/third-party.ts'

/** Nothing leaves before it is written (oidc.md §4.7): when writing fails, the answer is another one. */
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

async function whileWritesFail<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  const { transaction } = house.deps
  house.deps.transaction = () => Promise.reject(error)
  try {
    return await work()
  } finally {
    house.deps.transaction = transaction
  }
}

test('while the database is away nothing is given, and nothing is lost', async () => {
  const away = problem('unavailable', { retry_after: 1 })
  const { form } = await codeFor(ana, app)
  const [token, authorization] = await whileWritesFail(away, async () => [
    await post(house, app, '/token', form),
    await ana.request({ url: authorizeUrl(app) }),
  ])
  for (const answer of [token, authorization]) {
    expect(answer?.statusCode).toBe(503)
    expect(answer?.headers['retry-after']).toBe('2')
    expect(answer?.headers.location).toBeUndefined()
    expect(answer?.json()).toMatchObject({ error: 'temporarily_unavailable' })
  }
  expect((await post(house, app, '/token', form)).statusCode).toBe(200)
})

test('a failure of ours tells nothing of itself', async () => {
  const { form } = await codeFor(ana, app)
  const answer = await whileWritesFail(new Error('secret detail'), () => post(house, app, '/token', form))
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toContain('secret detail')
  expect(answer.body).not.toContain('access_token')
  expect(house.logged()).toContain('secret detail')
})
