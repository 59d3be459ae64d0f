import type { Adapter, AdapterPayload } from 'oidc-provider'
import { describe, expect, test } from 'vitest'

/** An adapter under test; `request` is one provider request, committed when `work` has ended. */
export interface AdapterSubject {
  adapter(model: string): Adapter
  request<T>(work: () => Promise<T>): Promise<T>
  /** A grant with a live session and connection, and a redirect URI of its client. */
  grant(): { grantId: string; accountId: string; clientId: string; sessionUid: string; redirectUri: string }
  advance(seconds: number): void
}

const TOKENS = ['AuthorizationCode', 'AccessToken', 'RefreshToken']

/** Requirements of oidc-provider for an adapter, and that `consume` succeeds once (protocol §3.1). */
export function adapterConformance(name: string, subject: () => AdapterSubject): void {
  let count = 0
  const put = async (model: string, ttl = 60, more: AdapterPayload = {}) => {
    count += 1
    const id = `token-${count}-${'x'.repeat(32)}`
    const now = Math.floor(Date.now() / 1000)
    const payload = { ...subject().grant(), jti: id, kind: model, iat: now, exp: now + ttl, scope: 'openid', ...more }
    await subject().request(() => subject().adapter(model).upsert(id, payload, ttl))
    return { id, payload }
  }
  const find = (model: string, id: string) => subject().request(async () => subject().adapter(model).find(id))

  describe.each(TOKENS)(`${name}: %s`, (model) => {
    test('returns what was stored', async () => {
      const { id, payload } = await put(model, 60, { nonce: 'n', acr: 'a', amr: ['pwd'] })
      const { iat, exp, ...rest } = payload
      const found = (await find(model, id)) as AdapterPayload
      expect(found).toMatchObject(rest)
      expect(Math.abs((found.iat as number) - iat)).toBeLessThanOrEqual(1)
      expect(Math.abs((found.exp as number) - exp)).toBeLessThanOrEqual(1)
      expect(found.consumed).toBeUndefined()
    })

    test('finds neither an unknown token nor one of another kind', async () => {
      const { id } = await put(model)
      expect(await find(model, 'never made')).toBeUndefined()
      for (const other of TOKENS.filter((one) => one !== model)) expect(await find(other, id)).toBeUndefined()
    })

    test('does not find an expired token', async () => {
      const { id } = await put(model, 30)
      subject().advance(30)
      expect(await find(model, id)).toBeUndefined()
    })

    test('destroys one token', async () => {
      const [one, other] = [await put(model), await put(model)]
      await subject().request(() => subject().adapter(model).destroy(one.id))
      expect(await find(model, one.id)).toBeUndefined()
      expect(await find(model, other.id)).toBeDefined()
    })

    test('revokes the tokens of a grant', async () => {
      const { id, payload } = await put(model)
      await subject().request(() => subject().adapter(model).revokeByGrantId(payload.grantId))
      expect(await find(model, id)).toBeUndefined()
    })

    test('is consumed by exactly one of 20 requests', async () => {
      const { id } = await put(model)
      const consume = () =>
        subject().request(async () => {
          const adapter = subject().adapter(model)
          await adapter.find(id)
          await adapter.consume(id)
        })
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, consume))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(((await find(model, id)) as AdapterPayload).consumed).toEqual(expect.any(Number))
    })
  })

  test(`${name}: the writes of a request are atomic`, async () => {
    const { id } = await put('RefreshToken')
    const { payload } = await put('AccessToken')
    await subject().request(() => subject().adapter('RefreshToken').consume(id))
    const late = subject().request(async () => {
      await subject().adapter('RefreshToken').consume(id)
      await subject()
        .adapter('AccessToken')
        .upsert('made by a loser', { ...payload, jti: 'made by a loser' }, 60)
    })
    await expect(late).rejects.toThrow('invalid_grant')
    expect(await find('AccessToken', 'made by a loser')).toBeUndefined()
  })
}
