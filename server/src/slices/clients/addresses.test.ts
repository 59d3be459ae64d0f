import { clients, LIMITS } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'

let house: House
let ana: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house?.close())

/** An app without any address. */
async function newApp(type: clients.ClientType = 'web'): Promise<string> {
  return (await organisation.app({ type, redirect_uri: undefined })).client_id
}

const urisOf = async (id: string) => {
  const answer = await ana.call(clients.listRedirectUris, { id })
  return answer.ok ? answer.data.redirect_uris : answer.problem
}
const originsOf = async (id: string) => {
  const answer = await ana.call(clients.listOrigins, { id })
  return answer.ok ? answer.data.origins : answer.problem
}

describe('§6 redirect URIs', () => {
  test('are kept exactly as written, oldest first', async () => {
    const id = await newApp()
    const uris = ['https://z.example/cb', 'https://a.example', 'http://localhost:4000/cb?x=1']
    for (const redirect_uri of uris) {
      expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({ ok: true })
      house.clock.advance(1)
    }
    expect(await urisOf(id)).toEqual(uris)
  })

  test('stand there once', async () => {
    const id = await newApp()
    const redirect_uri = 'https://jadrolet.example/cb'
    await ana.call(clients.addRedirectUri, { id, redirect_uri })
    expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({
      http: 409,
      problem: { code: 'redirect_uri_taken', fields: { redirect_uri: 'taken' } },
    })
    expect(await urisOf(id)).toEqual([redirect_uri])
    const other = await newApp()
    expect(await ana.call(clients.addRedirectUri, { id: other, redirect_uri })).toMatchObject({ ok: true })
  })

  test('fifty who add the same one at once add one', async () => {
    const id = await newApp()
    const add = () => ana.call(clients.addRedirectUri, { id, redirect_uri: 'https://jadrolet.example/cb' })
    const answers = await Promise.all(Array.from({ length: 50 }, add))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(new Set(answers.map(({ http }) => http))).toEqual(new Set([200, 409]))
    expect(await urisOf(id)).toEqual(['https://jadrolet.example/cb'])
  })

  test(`are at most ${LIMITS.uris_per_client}, however many arrive at once`, async () => {
    const id = await newApp()
    const add = (_: unknown, n: number) =>
      ana.call(clients.addRedirectUri, { id, redirect_uri: `https://a.example/${n}` })
    const answers = await Promise.all(Array.from({ length: 55 }, add))
    const refused = answers.filter(({ ok }) => !ok)
    expect(refused).toHaveLength(5)
    expect(refused[0]).toMatchObject({ http: 400, problem: { code: 'too_many_uris', params: { max: 50 } } })
    expect(await urisOf(id)).toHaveLength(50)
  })

  test('with a scheme of their own are for native apps', async () => {
    const redirect_uri = 'com.example.jadrolet:/callback'
    for (const type of ['web', 'spa', 'service'] as const) {
      const id = await newApp(type)
      expect(await ana.call(clients.addRedirectUri, { id, redirect_uri }), type).toMatchObject({
        http: 400,
        problem: { code: 'invalid_request', fields: { redirect_uri: 'private_scheme' } },
      })
      expect(await urisOf(id)).toEqual([])
    }
    const id = await newApp('native')
    expect(await ana.call(clients.addRedirectUri, { id, redirect_uri })).toMatchObject({ ok: true })
    expect(await urisOf(id)).toEqual([redirect_uri])
  })

  test.each([
    ['', 'required'],
    [`https://a.example/${'x'.repeat(2000)}`, 'too_long'],
    ['https://a.example/#x', 'no_fragment'],
    ['https://*.example/', 'no_wildcard'],
    ['http://a.example/', 'https_required'],
    ['javascript:alert(1)', 'private_scheme'],
    [7, 'invalid'],
    [null, 'invalid'],
  ])('refuse %j', async (redirect_uri, code) => {
    const id = await newApp('native')
    const refused = await ana.call(clients.addRedirectUri, { id, redirect_uri: redirect_uri as string })
    expect(refused).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields: { redirect_uri: code } } })
    expect(await urisOf(id)).toEqual([])
  })

  test('are removed as they are written; what is not there is not found', async () => {
    const id = await newApp()
    for (const redirect_uri of ['https://a.example/1', 'https://a.example/2']) {
      await ana.call(clients.addRedirectUri, { id, redirect_uri })
    }
    const remove = (redirect_uri: string) => ana.call(clients.removeRedirectUri, { id, redirect_uri })
    expect(await remove('https://a.example/1')).toMatchObject({ data: { redirect_uris: ['https://a.example/2'] } })
    for (const absent of ['https://a.example/1', 'https://a.example/2/', 'https://A.example/2', '', '%']) {
      expect(await remove(absent), absent).toMatchObject({ http: 404, problem: { code: 'not_found' } })
    }
    expect(await remove('a\u0000b')).toMatchObject({ http: 400 })
    expect(await urisOf(id)).toEqual(['https://a.example/2'])
  })
})

describe('§6 origins', () => {
  test('are scheme, host and port; a slash at the end is taken off', async () => {
    const id = await newApp()
    expect(await ana.call(clients.addOrigin, { id, origin: 'https://a.example/' })).toMatchObject({
      data: { origins: ['https://a.example'] },
    })
    expect(await ana.call(clients.addOrigin, { id, origin: 'https://a.example' })).toMatchObject({
      http: 409,
      problem: { code: 'origin_taken', fields: { origin: 'taken' } },
    })
    expect(await ana.call(clients.addOrigin, { id, origin: 'https://a.example/app' })).toMatchObject({
      http: 400,
      problem: { fields: { origin: 'no_path' } },
    })
    expect(await originsOf(id)).toEqual(['https://a.example'])
  })

  test(`are at most ${LIMITS.uris_per_client}, each once, however many arrive at once`, async () => {
    const id = await newApp()
    const add = (n: number) => ana.call(clients.addOrigin, { id, origin: `https://a${n}.example` })
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => add(n % 55)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(50)
    expect(await add(99)).toMatchObject({ http: 400, problem: { code: 'too_many_uris' } })
    expect(await originsOf(id)).toHaveLength(50)
  })

  test('are removed as they are written; what is not there is not found', async () => {
    const id = await newApp()
    await ana.call(clients.addOrigin, { id, origin: 'https://a.example' })
    expect(await ana.call(clients.removeOrigin, { id, origin: 'https://b.example' })).toMatchObject({ http: 404 })
    expect(await ana.call(clients.removeOrigin, { id, origin: 'https://a.example' })).toMatchObject({
      data: { origins: [] },
    })
  })
})
