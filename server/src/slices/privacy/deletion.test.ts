import { readdir } from 'node:fs/promises'
import { account, activity, auth, developers, privacy } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, lettersTo, type Newcomer, newcomer } from '../../../test/newcomer.ts'
import { openOrganisation } from '../../../test/organisation.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { pruneAll } from '../../prune.ts'
import { carryOutDeletions } from './door.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

const DAY = 24 * 60 * 60

async function confirmed(): Promise<Newcomer> {
  const person = await newcomer(house)
  const email_verified_at = house.clock.now().toISOString()
  await house.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', person.user.id).execute()
  return person
}

function rowsAbout(user_id: string) {
  const tables = [
    'sessions',
    'known_devices',
    'one_time_tokens',
    'activities',
    'members',
    'connections',
    'tokens',
  ] as const
  const own = [...tables, 'data_requests', 'account_deletions', 'pictures'] as const
  return Promise.all(
    own.map(async (table) => {
      const rows = await house.store.db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute()
      return rows.length
    }),
  )
}

async function exists(user_id: string): Promise<boolean> {
  const row = await house.store.db.selectFrom('users').select('id').where('id', '=', user_id).executeTakeFirst()
  return row !== undefined
}

function signIn({ email, password }: Newcomer) {
  return house
    .visitor({ ip: `10.9.${Math.floor(Math.random() * 250)}.1` })
    .call(auth.login, { username: email, password })
}

describe('§3 deleting the account', () => {
  test('signs out everywhere at once, ends what apps have, and is told by mail', async () => {
    const ana = await confirmed()
    const organisation = await openOrganisation(house, await confirmed(), 'Burja')
    const { client_id } = await organisation.app()
    const phone = await elsewhere(house, ana)
    const now = house.clock.now().toISOString()
    const connection = { id: `connection of ${ana.user.id}`, user_id: ana.user.id, client_id, scopes: '["openid"]' }
    await house.store.db
      .insertInto('connections')
      .values({ ...connection, declined: '[]', created_at: now, updated_at: now, last_used_at: null })
      .execute()
    await house.store.db
      .insertInto('tokens')
      .values({
        token_hash: `token of ${ana.user.id}`,
        kind: 'RefreshToken',
        connection_id: connection.id,
        session_id: null,
        client_id,
        user_id: ana.user.id,
        grant_id: null,
        payload: '{}',
        created_at: now,
        expires_at: '2027-11-21T10:00:00.000Z',
        consumed_at: null,
      })
      .execute()

    const due_at = new Date(house.clock.now().getTime() + 14 * DAY * 1000).toISOString()
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({
      ok: true,
      data: { due_at },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await ana.call(auth.refresh, {})).toMatchObject({ http: 401 })
    expect(await phone.call(account.getAccount)).toMatchObject({ http: 401 })
    expect([...ana.cookies.keys()]).not.toContain('vrata_sid')
    const [, , , , , connections, tokens] = await rowsAbout(ana.user.id)
    expect([connections, tokens]).toEqual([0, 0])
    expect((await lettersTo(house, ana.email)).at(-1)?.subject).toBe('Your account will be deleted')
  })

  test('a sign-in within fourteen days undoes it, and a mail says so', async () => {
    const ana = await confirmed()
    await ana.call(privacy.deleteAccount, {})
    house.clock.advance(14 * DAY - 1)
    await pruneAll(house.deps)
    expect((await signIn(ana)).ok).toBe(true)
    house.clock.advance(30 * DAY)
    await pruneAll(house.deps)
    expect(await exists(ana.user.id)).toBe(true)
    expect((await lettersTo(house, ana.email)).map(({ subject }) => subject)).toContain('Your account stays')
    const back = await elsewhere(house, ana)
    expect(await back.call(activity.listActivity, { type: 'UNDID_DELETION' })).toMatchObject({
      data: [{ ip: expect.any(String) }],
    })
    expect(await back.call(activity.listActivity, { type: 'BEGAN_DELETION' })).toMatchObject({ data: [{}] })
  })

  test('a wrong password does not undo it', async () => {
    const ana = await confirmed()
    await ana.call(privacy.deleteAccount, {})
    expect(await house.visitor().call(auth.login, { username: ana.email, password: 'not the password' })).toMatchObject(
      { ok: false },
    )
    house.clock.advance(14 * DAY)
    await pruneAll(house.deps)
    expect(await exists(ana.user.id)).toBe(false)
  })

  test('afterwards it is really gone: rows, pictures, archives; the address is free', async () => {
    const ana = await confirmed()
    await elsewhere(house, ana)
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    const { data: me } = (await ana.call(account.getAccount)) as { data: account.UserInfo }
    await ana.call(privacy.requestData, {})
    await house.outbox()
    await ana.call(privacy.deleteAccount, { password: ana.password })
    house.clock.advance(14 * DAY)
    await pruneAll(house.deps)
    expect(await exists(ana.user.id)).toBe(false)
    expect(await rowsAbout(ana.user.id)).toEqual(Array(10).fill(0))
    const throttles = await house.store.db.selectFrom('throttles').select('key').execute()
    expect(throttles.filter(({ key }) => key.includes(ana.user.id))).toEqual([])
    await expect
      .poll(async () =>
        (await readdir(`${house.config.data_dir}/media`)).filter((name) =>
          name.startsWith((me.profile_picture ?? '').slice(0, 22)),
        ),
      )
      .toEqual([])
    expect(await readdir(`${house.config.data_dir}/archives`)).toEqual([])
    expect(await signIn(ana)).toMatchObject({ problem: { code: 'invalid_credentials' } })
    expect(await house.visitor({ ip: '10.8.8.8' }).call(auth.register, ana)).toMatchObject({ ok: false, http: 400 })
    const again = { email: ana.email, password: ana.password }
    expect(await house.visitor({ ip: '10.8.8.8' }).call(auth.register, again)).toMatchObject({ ok: true })
  })

  test('one that fails is told of, stays whole, and does not hold up the others', async () => {
    const people = await Promise.all([1, 2, 3].map(() => confirmed()))
    const [first, , last] = people.map(({ user }) => user.id).sort()
    for (const person of people) await person.call(privacy.deleteAccount, {})
    house.clock.advance(14 * DAY)
    const failing: typeof house.deps.transaction = (work) =>
      house.deps.transaction(async (deps) => {
        const done = await work(deps)
        const found = await deps.db
          .selectFrom('users')
          .select('id')
          .where('id', '=', first as string)
          .execute()
        if (found.length === 0) throw new Error('the disk is full')
        return done
      })
    // One at a time: not even a whole step of failures hides those after it.
    expect(await carryOutDeletions({ ...house.deps, transaction: failing }, 1)).toBe(2)
    expect(await Promise.all([exists(first as string), exists(last as string)])).toEqual([true, false])
    expect(house.logged()).toMatch(/"err":\{[^}]*the disk is full[^\n]*an account could not be deleted/)
    await pruneAll(house.deps)
    expect(await exists(first as string)).toBe(false)
  })

  test('many at once, and somebody who signs in at that moment, leave each account whole or gone', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => confirmed()))
    for (const person of people) await person.call(privacy.deleteAccount, {})
    house.clock.advance(14 * DAY)
    const [, ...answers] = await Promise.all([pruneAll(house.deps), ...people.map(signIn)])
    for (const [at, person] of people.entries()) expect(await exists(person.user.id)).toBe(answers[at]?.ok)
  })
})

describe('§3 deleting asks for proof', () => {
  test('the password, or a sign-in of the last ten minutes', async () => {
    const ana = await confirmed()
    house.clock.advance(601)
    await ana.call(auth.refresh, {})
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject({ problem: { code: 'reauthentication_required' } })
    expect(await ana.call(privacy.deleteAccount, { password: 'not the password' })).toMatchObject({
      problem: { code: 'invalid_password', fields: { password: 'wrong' } },
    })
    expect(await ana.call(privacy.deleteAccount, { password: '' })).toMatchObject({ http: 400 })
    expect(await house.visitor().call(privacy.deleteAccount, { password: ana.password })).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({ ok: true })
  })

  test('the password is not guessed here either', async () => {
    const ana = await confirmed()
    let last = await ana.call(privacy.deleteAccount, { password: 'guess' })
    for (let tries = 0; tries < 12; tries += 1) last = await ana.call(privacy.deleteAccount, { password: 'guess' })
    expect(last).toMatchObject({ http: 429 })
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({ http: 429 })
  })
})

describe('§6 organisations of somebody who goes', () => {
  test('the last owner hands over first; the preview says where', async () => {
    const ana = await confirmed()
    const bor = await confirmed()
    const { developer_id, join } = await openOrganisation(house, ana, 'Kraški studio')
    await join(bor, 'admin')
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: {
        organisations_without_owner: [{ developer_id, name: 'Kraški studio' }],
        organisations_deleted: [],
        sessions: 1,
      },
    })
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({
      http: 409,
      problem: { code: 'last_owner', params: { organisations: 'Kraški studio' } },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    await join(bor, 'owner')
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: { organisations_without_owner: [], organisations_left: [{ developer_id }] },
    })
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject({ ok: true })
  })

  test('where nobody else is a member, it goes with its apps; the preview says so', async () => {
    const ana = await confirmed()
    const { developer_id, app } = await openOrganisation(house, ana, 'Sama')
    const { client_id } = await app()
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: { organisations_deleted: [{ name: 'Sama' }] },
    })
    await ana.call(privacy.deleteAccount, {})
    house.clock.advance(14 * DAY)
    await pruneAll(house.deps)
    const { db } = house.store
    expect(await db.selectFrom('developers').selectAll().where('id', '=', developer_id).execute()).toEqual([])
    expect(await db.selectFrom('clients').selectAll().where('client_id', '=', client_id).execute()).toEqual([])
  })

  test('one that lost its other owner meanwhile gets the highest of those who stay', async () => {
    const ana = await confirmed()
    const bor = await confirmed()
    const cvetka = await confirmed()
    const drago = await confirmed()
    const { developer_id, join } = await openOrganisation(house, ana, 'Dedna')
    await join(bor, 'owner')
    await join(drago, 'member')
    await join(cvetka, 'moderator')
    await ana.call(privacy.deleteAccount, {})
    await house.store.db.deleteFrom('members').where('user_id', '=', bor.user.id).execute()
    house.clock.advance(14 * DAY)
    await pruneAll(house.deps)
    const { email, password } = cvetka
    const back = await elsewhere(house, { email, password })
    await back.call(auth.refresh, { developer_id })
    expect(await back.call(developers.getDeveloper)).toMatchObject({ data: { permission: 'owner' } })
  })
})
