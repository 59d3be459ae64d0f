import { account, clients, connections, developers, users } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation } from '../../../test/organisation.ts'
import { people, studio } from '../../../test/people.ts'
import { allow, authorizeUrl, type ThirdParty } from '../../../test/third-party.ts'

/** Whether two meet at the wrong moment is chance, so they are asked to often. */
const ROUNDS = Array.from({ length: 6 }, (_, round) => round + 1)

let house: House
let ana: SignedIn
let bor: SignedIn
beforeAll(async () => {
  house = await openHouse()
  bor = await house.as(people.bor)
})
afterAll(() => house.close())

/** An organisation of its own each time, so that nothing of an earlier round is remembered. */
async function twoApps(): Promise<{ organisation: Organisation; app: ThirdParty; other: ThirdParty }> {
  ana = await house.as(people.ana)
  const organisation = await openOrganisation(house, ana)
  return { organisation, app: await organisation.app(), other: await organisation.app({ name: 'Burja' }) }
}

async function found(query: string): Promise<number> {
  const answer = await ana.call(users.listUsers, { query })
  return answer.ok ? answer.data.length : 0
}

test.each(ROUNDS)('whoever allows two apps at once is found by what either may see (%i)', async () => {
  const { app, other } = await twoApps()
  await Promise.all([allow(bor, app, 'openid profile'), allow(bor, other, 'openid email')])
  expect([await found(people.bor.last_name), await found(people.bor.email)]).toEqual([1, 1])
})

test.each(ROUNDS)(
  'who takes a scope back while they rename themselves is found by the new name (%i)',
  async (round) => {
    const { app } = await twoApps()
    await allow(bor, app, 'openid profile email')
    const last_name = `Horvat${'abcdefgh'[round - 1]}`
    const answers = await Promise.all([
      bor.call(connections.takeBackScope, { client: app.client_id, key: 'email' }),
      bor.call(account.updateAccount, { last_name }),
      bor.call(account.setLanguage, { language: ['hr-HR'] }),
    ])
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true])
    expect([await found(last_name), await found(people.bor.email)]).toEqual([1, 0])
  },
)

test.each(ROUNDS)('an app and its organisation go while people use them, and nothing breaks (%i)', async () => {
  const { app, other } = await twoApps()
  await allow(bor, app, 'openid profile email')
  await allow(bor, other, 'openid profile email')
  const signIn = (at: ThirdParty) => bor.request({ url: authorizeUrl(at, { scope: 'openid profile' }) })
  const [deleted, ...atApp] = await Promise.all([
    ana.call(clients.deleteClient, { id: app.client_id }),
    ...[app, app, app].map(signIn),
  ])
  const [gone, renamed, ...atOther] = await Promise.all([
    ana.call(developers.deleteDeveloper, { name: studio.name }),
    bor.call(account.updateAccount, { last_name: people.bor.last_name }),
    ...[other, other, other].map(signIn),
  ])
  expect([deleted.ok, gone.ok, renamed.ok]).toEqual([true, true, true])
  // A code, or the page that says what became of the app.
  for (const { statusCode } of [...atApp, ...atOther]) expect(statusCode).toBe(303)
})
