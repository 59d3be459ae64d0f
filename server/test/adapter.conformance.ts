import type { Adapter, AdapterPayload } from 'oidc-provider'
import { describe, expect, test } from 'vitest'

/** What stands around an adapter: each `request` is one answer of the engine, written when it ends. */
export interface AdapterWorld {
  adapter(model: string): Adapter
  request<T>(work: () => Promise<T>): Promise<T>
  /** A grant of a living session and connection, and whose it is. */
  grant(): { grantId: string; accountId: string; clientId: string; sessionUid: string }
  advance(seconds: number): void
}

const TOKENS = ['AuthorizationCode', 'AccessToken', 'RefreshToken']

/** What the engine relies on, whatever it is stored in (oidc-provider, "adapter"), and what we ask beyond that. */
export function adapterConformance(name: string, world: () => AdapterWorld): void {
  let made = 0
  const put = async (model: string, ttl = 60, more: AdapterPayload = {}) => {
    made += 1
    const id = `token-${made}-${'x'.repeat(32)}`
    const now = Math.floor(Date.now() / 1000)
    const payload = { ...world().grant(), jti: id, kind: model, iat: now, exp: now + ttl, scope: 'openid', ...more }
    await world().request(() => world().adapter(model).upsert(id, payload, ttl))
    return { id, payload }
  }
  const find = (model: string, id: string) => world().request(async () => world().adapter(model).find(id))

  describe.each(TOKENS)(`${name}: %s`, (model) => {
    test('gives back what it was given', async () => {
      const { id, payload } = await put(model, 60, { nonce: 'n', acr: 'a', amr: ['pwd'] })
      const { iat, exp, ...rest } = payload
      const found = (await find(model, id)) as AdapterPayload
      expect(found).toMatchObject(rest)
      expect(Math.abs((found.iat as number) - iat)).toBeLessThanOrEqual(1)
      expect(Math.abs((found.exp as number) - exp)).toBeLessThanOrEqual(1)
      expect(found.consumed).toBeUndefined()
    })

    test('knows neither what was never made nor another kind of token', async () => {
      const { id } = await put(model)
      expect(await find(model, 'never made')).toBeUndefined()
      for (const other of TOKENS.filter((one) => one !== model)) expect(await find(other, id)).toBeUndefined()
    })

    test('forgets what has expired', async () => {
      const { id } = await put(model, 30)
      world().advance(30)
      expect(await find(model, id)).toBeUndefined()
    })

    test('destroys one', async () => {
      const [one, other] = [await put(model), await put(model)]
      await world().request(() => world().adapter(model).destroy(one.id))
      expect(await find(model, one.id)).toBeUndefined()
      expect(await find(model, other.id)).toBeDefined()
    })

    test('revokes all of a grant', async () => {
      const { id, payload } = await put(model)
      await world().request(() => world().adapter(model).revokeByGrantId(payload.grantId))
      expect(await find(model, id)).toBeUndefined()
    })

    test('is consumed by exactly one of many', async () => {
      const { id } = await put(model)
      const consume = () =>
        world().request(async () => {
          const adapter = world().adapter(model)
          await adapter.find(id)
          await adapter.consume(id)
        })
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, consume))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(((await find(model, id)) as AdapterPayload).consumed).toEqual(expect.any(Number))
    })
  })

  test(`${name}: what one request writes is written whole or not at all`, async () => {
    const { id } = await put('RefreshToken')
    const { payload } = await put('AccessToken')
    await world().request(() => world().adapter('RefreshToken').consume(id))
    const late = world().request(async () => {
      await world().adapter('RefreshToken').consume(id)
      await world()
        .adapter('AccessToken')
        .upsert('made by a loser', { ...payload, jti: 'made by a loser' }, 60)
    })
    await expect(late).rejects.toThrow('invalid_grant')
    expect(await find('AccessToken', 'made by a loser')).toBeUndefined()
  })
}
