import { account, auth, developers, security } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse } from '../test/house.ts'
import { elsewhere, newcomer } from '../test/newcomer.ts'
import { openOrganisation } from '../test/organisation.ts'
import { people } from '../test/people.ts'
import { connectEar } from '../test/sockets.ts'
import { testEngine } from '../test/template-db.ts'
import { payloads } from './ports/realtime/realtime.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

describe('§7 open pages hear what to load anew', () => {
  test('a sign-in elsewhere is in devices and in the activity', async () => {
    const ana = await newcomer(house)
    const ear = await connectEar(house, ana)
    await elsewhere(house, ana)
    await ear.hears('sessions:changed', 'activity:created')
  })

  test('a changed account, with or without a line in the activity', async () => {
    const ana = await newcomer(house)
    const ear = await connectEar(house, ana)
    await ana.call(account.removeProfilePicture)
    await ear.hears('account:updated')
    ear.heard.length = 0
    await ana.call(security.enableOtp)
    await ana.call(account.setPassword, { current_password: ana.password, new_password: 'nova-kljucavnica-9-zim' })
    await ear.hears('activity:created', 'account:updated')
  })

  test('nothing of what was not committed', async () => {
    const ana = await newcomer(house)
    const ear = await connectEar(house, ana)
    await house.deps
      .transaction(async (deps) => {
        await deps.tell('account_changed', { user_id: ana.user.id })
        throw new Error('not today')
      })
      .catch(() => {})
    await ana.call(account.removeProfilePicture)
    await ear.hears('account:updated')
    expect(ear.heard).toEqual(['account:updated'])
  })

  test('an organisation tells its members, and nobody else', async () => {
    const ana = await house.as(people.ana)
    const anas = await connectEar(house, ana)
    const stranger = await connectEar(house, await house.as(people.drago))
    const { developer_id, join } = await openOrganisation(house, ana)
    await anas.hears(`developer:changed ${developer_id}`)

    const bor = await house.as(people.bor)
    await join(bor, 'analyst')
    const bors = await connectEar(house, bor)
    await ana.call(developers.updateDeveloper, { name: 'Kraški studio 2' })
    await bors.hears(`developer:changed ${developer_id}`)
    expect(stranger.heard).toEqual([])
  })

  test('whoever was removed hears that, and nothing any more', async () => {
    const ana = await house.as(people.ana)
    const bor = await house.as(people.bor)
    const { developer_id, join } = await openOrganisation(house, ana, 'Burja')
    await join(bor, 'member')
    const [anas, bors] = [await connectEar(house, ana), await connectEar(house, bor)]
    const event = { developer_id, user_id: ana.user.id }
    await house.deps.transaction(async (deps) => {
      await deps.db
        .deleteFrom('members')
        .where('user_id', '=', bor.user.id)
        .where('developer_id', '=', developer_id)
        .execute()
      await deps.tell('done_in_developer', { ...event, type: 'REMOVED_MEMBER' })
    })
    await bors.hears(`members:changed ${developer_id}`)
    bors.heard.length = 0
    await house.deps.transaction((deps) =>
      deps.tell('done_in_developer', { ...event, type: 'CREATED_APP', client_id: 'c' }),
    )
    await anas.hears(`client:changed ${developer_id},c`)
    expect(bors.heard).toEqual([])
  })

  test.skipIf(testEngine === 'sqlite')('on a socket of another server, too', async () => {
    const there = await openHouse({ VRATA_DATABASE_URL: house.config.database_url ?? '' })
    try {
      const ana = await newcomer(house)
      const phone = await elsewhere(house, ana)
      const [ear, phones] = [await connectEar(there, ana), await connectEar(there, phone)]
      await ana.call(account.removeProfilePicture)
      await ear.hears('account:updated')
      const began = performance.now()
      await ana.call(auth.logoutAll)
      await phones.gone()
      expect(performance.now() - began).toBeLessThan(1000)
      expect(phones.heard).toContain('session:ended')
    } finally {
      await there.close()
    }
  })
})

test('what is too long for one message of PostgreSQL travels in several, in its order', () => {
  const ids = Array.from({ length: 250 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`)
  const texts = payloads([{ end: ids }, { to: 'user:a', event: 'sessions:changed' }])
  expect(texts.every((text) => text.length < 7000)).toBe(true)
  const news = texts.flatMap((text) => JSON.parse(text))
  expect(news.flatMap((one) => one.end ?? [])).toEqual(ids)
  expect(news.at(-1)).toEqual({ to: 'user:a', event: 'sessions:changed' })
})
