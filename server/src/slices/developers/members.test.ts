import { account, auth, developers, LEVELS, type Level, mayGive, mayManage, members } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation, switchTo } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { pruneAll } from '../../prune.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
  cvetka = await house.as(people.cvetka)
})
afterAll(() => house?.close())

async function everybody(person: SignedIn) {
  return good(await person.call(members.listMembers))
}

/** The id of somebody's membership. */
async function idOf(person: SignedIn): Promise<string> {
  const found = (await everybody(ana)).find(({ user }) => user.id === person.user.id)
  if (!found) throw new Error(`${person.user.email} is no member`)
  return found.id
}

async function levelsIn({ developer_id }: Organisation): Promise<Record<string, string>> {
  const rows = await house.store.read
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.first_name', 'members.permission'])
    .where('developer_id', '=', developer_id)
    .execute()
  return Object.fromEntries(rows.map(({ first_name, permission }) => [first_name, permission]))
}

async function recorded({ developer_id }: Organisation) {
  const rows = await house.store.read
    .selectFrom('developer_activities')
    .select(['type', 'params'])
    .where('developer_id', '=', developer_id)
    .orderBy('id')
    .execute()
  return rows.map(({ type, params }) => [type, JSON.parse(params)])
}

describe('§6 the list of members', () => {
  test('names everybody with their level, the highest first, and nothing more of them', async () => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, 'member')
    await organisation.join(cvetka, 'admin')
    const list = await everybody(bor)
    expect(list.map(({ user, permission }) => [user.first_name, permission])).toEqual([
      ['Ana', 'owner'],
      ['Cvetka', 'admin'],
      ['Bor', 'member'],
    ])
    expect(list[0]).toEqual({
      id: expect.any(String),
      user: {
        id: ana.user.id,
        first_name: 'Ana',
        last_name: 'Kovač',
        username: null,
        email: people.ana.email,
        profile_picture: null,
      },
      permission: 'owner',
      joined_at: expect.any(String),
      pending: false,
    })
  })
})

describe('§6 who may act on whom: every level on every level', () => {
  const pairs = LEVELS.flatMap((own) => LEVELS.map((theirs) => ({ own, theirs })))

  test.each(pairs)('$own changes the level of $theirs', async ({ own, theirs }) => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, own)
    for (const to of LEVELS) {
      await organisation.grant(cvetka, theirs)
      const answer = await bor.call(members.changeLevel, { id: await idOf(cvetka), permission: to })
      const allowed = mayManage(own, theirs) && mayGive(own, to)
      expect([to, answer.ok ? 'done' : answer.problem.code]).toEqual([to, allowed ? 'done' : 'insufficient_level'])
      expect((await levelsIn(organisation)).Cvetka).toBe(allowed ? to : theirs)
    }
  })

  test.each(pairs)('$own removes $theirs', async ({ own, theirs }) => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, own)
    await organisation.grant(cvetka, theirs)
    const answer = await bor.call(members.removeMember, { id: await idOf(cvetka) })
    const allowed = mayManage(own, theirs)
    expect(answer.ok ? 'done' : answer.problem.code).toBe(allowed ? 'done' : 'insufficient_level')
    expect((await levelsIn(organisation)).Cvetka).toBe(allowed ? undefined : theirs)
  })

  test.each(LEVELS.filter((level) => level !== 'owner'))('%s neither raises nor removes themselves', async (own) => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, own)
    const id = await idOf(bor)
    for (const permission of LEVELS) {
      expect(await bor.call(members.changeLevel, { id, permission })).toMatchObject({
        problem: { code: 'insufficient_level' },
      })
    }
    expect(await bor.call(members.removeMember, { id })).toMatchObject({ problem: { code: 'insufficient_level' } })
    expect((await levelsIn(organisation)).Bor).toBe(own)
  })

  test('the refusal names the level that would do', async () => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, 'admin')
    await organisation.join(cvetka, 'member')
    const id = await idOf(cvetka)
    expect(await bor.call(members.changeLevel, { id, permission: 'admin' })).toMatchObject({
      http: 403,
      problem: { code: 'insufficient_level', params: { needed: 'owner' } },
    })
  })

  test('a member of another organisation is not found, nor is an id of nobody', async () => {
    const other = await openOrganisation(house, bor, 'Druga')
    await other.join(cvetka, 'member')
    const [, strange] = good(await bor.call(members.listMembers))
    await openOrganisation(house, ana)
    for (const id of [strange?.id ?? '', 'nobody']) {
      const missing = { http: 404, problem: { code: 'not_found' } }
      expect(await ana.call(members.changeLevel, { id, permission: 'member' })).toMatchObject(missing)
      expect(await ana.call(members.removeMember, { id })).toMatchObject(missing)
      expect(await ana.call(members.resendInvitation, { id })).toMatchObject(missing)
    }
    expect(await levelsIn(other)).toEqual({ Bor: 'owner', Cvetka: 'member' })
  })

  test.each([[{}], [{ permission: 'chief' }], [{ permission: null }], [{ permission: 'member', user_id: 'x' }]])(
    'refuses %j and changes nothing',
    async (input) => {
      const organisation = await openOrganisation(house, ana)
      await organisation.join(bor, 'analyst')
      const answer = await ana.call(members.changeLevel, { id: await idOf(bor), ...input } as never)
      expect(answer).toMatchObject({ http: 400, problem: { code: 'invalid_request' } })
      expect((await levelsIn(organisation)).Bor).toBe('analyst')
    },
  )
})

describe('§6 an organisation keeps an owner', () => {
  const lastOwner = { http: 409, problem: { code: 'last_owner' } }

  test('the last one is neither lowered nor removed, and does not leave', async () => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, 'admin')
    const id = await idOf(ana)
    expect(await ana.call(members.changeLevel, { id, permission: 'admin' })).toMatchObject(lastOwner)
    expect(await ana.call(members.removeMember, { id })).toMatchObject(lastOwner)
    expect(await ana.call(members.leaveDeveloper)).toMatchObject(lastOwner)
    expect(await ana.call(members.changeLevel, { id, permission: 'owner' })).toMatchObject({ ok: true })
    expect(await levelsIn(organisation)).toEqual({ Ana: 'owner', Bor: 'admin' })
  })

  test('one of two may step down, and leave', async () => {
    const organisation = await openOrganisation(house, ana)
    await organisation.join(bor, 'owner')
    expect(await ana.call(members.changeLevel, { id: await idOf(ana), permission: 'member' })).toMatchObject({
      ok: true,
    })
    expect(await ana.call(members.leaveDeveloper)).toMatchObject({ ok: true, data: {} })
    expect(await levelsIn(organisation)).toEqual({ Bor: 'owner' })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ problem: { code: 'no_developer' } })
    const me = good(await ana.call(account.getAccount))
    expect(me.developer_accounts.map(({ developer_id }) => developer_id)).not.toContain(organisation.developer_id)
  })

  test('two who remove, lower or leave at the same moment leave one behind', async () => {
    for (let round = 0; round < 8; round += 1) {
      const organisation = await openOrganisation(house, ana)
      await organisation.join(bor, 'owner')
      const [a, b] = [await idOf(ana), await idOf(bor)]
      const deeds = [
        () => [ana.call(members.leaveDeveloper), bor.call(members.leaveDeveloper)],
        () => [ana.call(members.removeMember, { id: b }), bor.call(members.removeMember, { id: a })],
        () => [
          ana.call(members.changeLevel, { id: b, permission: 'member' as Level }),
          bor.call(members.changeLevel, { id: a, permission: 'member' as Level }),
        ],
        () => [ana.call(members.leaveDeveloper), ana.call(members.removeMember, { id: b })],
      ]
      const answers = await Promise.all(deeds[round % deeds.length]?.() ?? [])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(answers.flatMap((answer) => (answer.ok ? [] : answer.problem.code))).toEqual([
        expect.stringMatching(/^(last_owner|no_developer|insufficient_level)$/),
      ])
      expect(Object.values(await levelsIn(organisation))).toContain('owner')
    }
  })
})

test('§8 what is done is written down with the names of the moment', async () => {
  const organisation = await openOrganisation(house, ana)
  await organisation.join(bor, 'member')
  await organisation.join(cvetka, 'member')
  const id = await idOf(bor)
  good(await ana.call(members.changeLevel, { id, permission: 'developer' }))
  good(await ana.call(members.changeLevel, { id, permission: 'developer' }))
  good(await ana.call(members.removeMember, { id }))
  good(await cvetka.call(members.leaveDeveloper))
  const invited = good(await ana.call(members.inviteMember, { email: 'nova@example.com', permission: 'analyst' }))
  good(await ana.call(members.removeMember, { id: invited.id }))
  expect((await recorded(organisation)).slice(1)).toEqual([
    ['CHANGED_LEVEL', { name: 'Bor Horvat', from: 'member', to: 'developer' }],
    ['REMOVED_MEMBER', { name: 'Bor Horvat' }],
    ['LEFT', {}],
    ['INVITED_MEMBER', { name: 'nova@example.com', to: 'analyst' }],
    ['WITHDREW_INVITATION', { name: 'nova@example.com' }],
  ])
})

test('invitations are forgotten a month after their days are over', async () => {
  const organisation = await openOrganisation(house, ana)
  good(await ana.call(members.inviteMember, { email: 'davna@example.com' }))
  const kept = async () =>
    (
      await house.store.read
        .selectFrom('invitations')
        .select('email')
        .where('developer_id', '=', organisation.developer_id)
        .execute()
    ).length
  house.clock.advance(36 * 24 * 60 * 60)
  await pruneAll(house.deps)
  expect(await kept()).toBe(1)
  house.clock.advance(2 * 24 * 60 * 60)
  await pruneAll(house.deps)
  expect(await kept()).toBe(0)
})

test('security §7.5 an owner is made after a fresh sign-in alone', async () => {
  const [owner, other] = [await house.as(people.ana), await house.as(people.bor)]
  const organisation = await openOrganisation(house, owner)
  await organisation.join(other, 'admin')
  const id = (await everybody(owner)).find(({ user }) => user.id === other.user.id)?.id as string
  house.clock.advance(601)
  await switchTo(owner, organisation.developer_id)
  const stale = { http: 403, problem: { code: 'reauthentication_required' } }
  const invited = { email: 'heir@example.com', permission: 'owner' } as const
  expect(await owner.call(members.changeLevel, { id, permission: 'owner' })).toMatchObject(stale)
  expect(await owner.call(members.inviteMember, invited)).toMatchObject(stale)
  expect(await owner.call(members.changeLevel, { id, permission: 'moderator' })).toMatchObject({ ok: true })
  expect(await owner.call(auth.reauthenticate, { password: people.ana.password })).toMatchObject({ ok: true })
  const { id: invitation } = good(await owner.call(members.inviteMember, invited))
  expect(await owner.call(members.changeLevel, { id, permission: 'owner' })).toMatchObject({ ok: true })
  house.clock.advance(601)
  await switchTo(owner, organisation.developer_id)
  expect(await owner.call(members.resendInvitation, { id: invitation })).toMatchObject(stale)
})
