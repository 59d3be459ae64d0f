import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare, differenceOf, nameOf, randomCase, randomNumbers } from '../../../test/oracle/oracle.ts'
import { PLANTED } from '../../../test/oracle/planted.ts'
import { APPS_OF, GRANTS } from '../../../test/oracle/token-requests.ts'
import { startTwoNodes, type TwoNodes } from '../../../test/oracle/two-nodes.ts'

/** Random requests; `npm run oracle` makes thousands. */
const RANDOM = 24

let nodes: TwoNodes
beforeAll(async () => {
  nodes = await startTwoNodes()
})
afterAll(() => nodes.close())

test('native answers and those of oidc-provider agree: status, headers, body and rows', async () => {
  const random = randomNumbers(14)
  let native = 0
  for (const one of Array.from({ length: RANDOM }, () => randomCase(random))) {
    const compared = await compare(nodes, one, random() < 0.5 ? 'native' : 'engine')
    expect(differenceOf(compared), nameOf(one)).toBeUndefined()
    native += compared.nativeAnswers
  }
  expect(native).toBeGreaterThan(RANDOM / 4)
})

test.each(GRANTS)('both agree: the right request of each kind of app, %s', async (grant) => {
  for (const app of APPS_OF[grant]) {
    const one = { grant, app, change: 'nothing', variation: 'right', times: 'once' } as const
    expect(differenceOf(await compare(nodes, one, 'engine')), nameOf(one)).toBeUndefined()
  }
})

test.each(['user left out by the rule of the app', 'in groups'])('both agree: %s', async (change) => {
  for (const grant of ['authorization', 'authorization_code', 'refresh_token'] as const) {
    const one = { grant, app: 'plain', change, variation: 'right', times: 'once' } as const
    const compared = await compare(nodes, one, 'engine')
    expect([grant, differenceOf(compared)]).toEqual([grant, undefined])
    // Only successes are answered natively. An authorization request that asks for other scopes than those of the app is not one.
    if (grant !== 'authorization')
      expect([grant, compared.nativeAnswers]).toEqual([grant, change === 'in groups' ? 1 : 0])
  }
})

test('both agree: a parameter after a thousand empty ones', async () => {
  const variation = 'a thousand empty parameters before another'
  const one = { grant: 'authorization', app: 'plain', change: 'nothing', variation, times: 'once' } as const
  expect(differenceOf(await compare(nodes, one, 'engine'))).toBeUndefined()
})

test.each([
  ['authorization_code', 'nothing'],
  ['refresh_token', 'nothing'],
  // Such an app may not use codes any more; the one that it has exchanged is still deleted.
  ['refresh_token', 'native app with https loopback address'],
] as const)('both agree: a race for one %s, %s', async (grant, change) => {
  const one = { grant, app: 'EdDSA', change, variation: 'right', times: 'raced' } as const
  expect(differenceOf(await compare(nodes, one, 'engine'))).toBeUndefined()
})

describe.each(PLANTED)('rules of the %s', (_, rules, found) => {
  test('each has a case that finds its removal', () => {
    expect(Object.keys(found)).toEqual(Object.keys(rules))
  })

  test.each(Object.entries(found))('%s', async (name, one) => {
    const rule = rules[name]
    rules[name] = () => true
    try {
      expect(differenceOf(await compare(nodes, one, 'engine'))).toBeDefined()
    } finally {
      if (rule) rules[name] = rule
    }
  })
})
