import {
  account,
  canGrantLevel,
  canManageMember,
  developers,
  LEVELS,
  type Level,
  members,
  sessions,
} from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization, type Organization, switchTo } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneAll } from '../../prune.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let cvetka: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  cvetka = await server.as(people.cvetka)
})
afterAll(() => server?.close())

async function listMembers(person: SignedIn) {
  return good(await person.call(members.listMembers))
}

/** Returns the id of a membership. */
async function idOf(person: SignedIn): Promise<string> {
  const found = (await listMembers(ana)).find(({ user }) => user.id === person.user.id)
  if (!found) throw new Error(`${person.user.email} is no member`)
  return found.id
}

async function levelsIn({ developer_id }: Organization): Promise<Record<string, string>> {
  const rows = await server.store.read
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.first_name', 'members.permission'])
    .where('developer_id', '=', developer_id)
    .execute()
  return Object.fromEntries(rows.map(({ first_name, permission }) => [first_name, permission]))
}

async function recorded({ developer_id }: Organization) {
  const rows = await server.store.read
    .selectFrom('developer_activities')
    .select(['type', 'params'])
    .where('developer_id', '=', developer_id)
    .orderBy('id')
    .execute()
  return rows.map(({ type, params }) => [type, JSON.parse(params)])
}

describe('the list of members', () => {
  test('contains members with their level, highest first, and no further fields', async () => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, 'member')
    await organization.join(cvetka, 'admin')
    const list = await listMembers(bor)
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

describe('order and filters of the list of members', () => {
  test('sorts by level, name or time and filters by text and level', async () => {
    const organization = await createOrganization(server, ana)
    server.clock.advance(1)
    await organization.join(cvetka, 'developer')
    server.clock.advance(1)
    await organization.join(bor, 'developer')
    const names = async (input: Parameters<typeof ana.call<typeof members.listMembers>>[1]) =>
      good(await ana.call(members.listMembers, input)).map(({ user }) => user.first_name)
    expect(await names({})).toEqual(['Ana', 'Cvetka', 'Bor'])
    expect(await names({ sort: 'name' })).toEqual(['Ana', 'Bor', 'Cvetka'])
    expect(await names({ sort: 'newest' })).toEqual(['Bor', 'Cvetka', 'Ana'])
    expect(await names({ permission: 'developer', sort: 'name' })).toEqual(['Bor', 'Cvetka'])
    // Accents do not matter.
    expect(await names({ query: 'kovac' })).toEqual(['Ana'])
    expect(await names({ query: people.bor.email })).toEqual(['Bor'])
  })
})

describe('permissions of each level on each level', () => {
  const pairs = LEVELS.flatMap((own) => LEVELS.map((theirs) => ({ own, theirs })))

  test.each(pairs)('decides whether $own may change the level of $theirs', async ({ own, theirs }) => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, own)
    for (const to of LEVELS) {
      await organization.grant(cvetka, theirs)
      const answer = await bor.call(members.changeLevel, { id: await idOf(cvetka), permission: to })
      const allowed = canManageMember(own, theirs) && canGrantLevel(own, to)
      expect([to, answer.ok ? 'done' : answer.problem.code]).toEqual([to, allowed ? 'done' : 'insufficient_level'])
      expect((await levelsIn(organization)).Cvetka).toBe(allowed ? to : theirs)
    }
  })

  test.each(pairs)('decides whether $own may remove $theirs', async ({ own, theirs }) => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, own)
    await organization.grant(cvetka, theirs)
    const answer = await bor.call(members.removeMember, { id: await idOf(cvetka) })
    const allowed = canManageMember(own, theirs)
    expect(answer.ok ? 'done' : answer.problem.code).toBe(allowed ? 'done' : 'insufficient_level')
    expect((await levelsIn(organization)).Cvetka).toBe(allowed ? undefined : theirs)
  })

  test.each(LEVELS.filter((level) => level !== 'owner'))('does not let %s raise or remove themselves', async (own) => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, own)
    const id = await idOf(bor)
    for (const permission of LEVELS) {
      expect(await bor.call(members.changeLevel, { id, permission })).toMatchObject({
        problem: { code: 'insufficient_level' },
      })
    }
    expect(await bor.call(members.removeMember, { id })).toMatchObject({ problem: { code: 'insufficient_level' } })
    expect((await levelsIn(organization)).Bor).toBe(own)
  })

  test('names the required level', async () => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, 'admin')
    await organization.join(cvetka, 'member')
    const id = await idOf(cvetka)
    expect(await bor.call(members.changeLevel, { id, permission: 'admin' })).toMatchObject({
      http: 403,
      problem: { code: 'insufficient_level', params: { needed: 'owner' } },
    })
  })

  test('does not find members of other developer accounts or unknown ids', async () => {
    const other = await createOrganization(server, bor, 'Druga')
    await other.join(cvetka, 'member')
    const [, strange] = good(await bor.call(members.listMembers))
    await createOrganization(server, ana)
    for (const id of [strange?.id ?? '', 'nobody']) {
      const missing = { http: 404, problem: { code: 'not_found' } }
      expect(await ana.call(members.changeLevel, { id, permission: 'member' })).toMatchObject(missing)
      expect(await ana.call(members.removeMember, { id })).toMatchObject(missing)
      expect(await ana.call(members.resendInvitation, { id })).toMatchObject(missing)
    }
    expect(await levelsIn(other)).toEqual({ Bor: 'owner', Cvetka: 'member' })
  })

  test('that another owner has changed is not changed or removed before it is seen', async () => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, 'owner')
    await organization.join(cvetka, 'member')
    const id = await idOf(cvetka)
    const decided = { http: 409, problem: { code: 'already_decided' } }
    good(await ana.call(members.changeLevel, { id, permission: 'analyst', seen_permission: 'member' }))
    const late = { id, seen_permission: 'member' } as const
    expect(await bor.call(members.changeLevel, { ...late, permission: 'admin' })).toMatchObject(decided)
    expect(await bor.call(members.removeMember, late)).toMatchObject(decided)
    expect(await levelsIn(organization)).toMatchObject({ Cvetka: 'analyst' })
    // The same level is given.
    good(await bor.call(members.changeLevel, { ...late, permission: 'analyst' }))
    // When many levels are set at the same moment, all but one are refused.
    const levels = (['admin', 'member'] as const).flatMap((level) => [level, level, level, level])
    const answers = await Promise.all(
      levels.map((permission, n) =>
        (n % 2 ? ana : bor).call(members.changeLevel, { id, permission, seen_permission: 'analyst' }),
      ),
    )
    const { Cvetka: now } = await levelsIn(organization)
    expect(levels).toContain(now)
    for (const [n, answer] of answers.entries())
      expect(answer).toMatchObject(levels[n] === now ? { ok: true } : decided)
    good(await bor.call(members.removeMember, { id, seen_permission: now as Level }))
  })

  test.each([[{}], [{ permission: 'chief' }], [{ permission: null }], [{ permission: 'member', user_id: 'x' }]])(
    'rejects %j',
    async (input) => {
      const organization = await createOrganization(server, ana)
      await organization.join(bor, 'analyst')
      const answer = await ana.call(members.changeLevel, { id: await idOf(bor), ...input } as never)
      expect(answer).toMatchObject({ http: 400, problem: { code: 'invalid_request' } })
      expect((await levelsIn(organization)).Bor).toBe('analyst')
    },
  )
})

describe('the last owner', () => {
  const lastOwner = { http: 409, problem: { code: 'last_owner' } }

  test('can neither be demoted nor removed nor leave', async () => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, 'admin')
    const id = await idOf(ana)
    expect(await ana.call(members.changeLevel, { id, permission: 'admin' })).toMatchObject(lastOwner)
    expect(await ana.call(members.removeMember, { id })).toMatchObject(lastOwner)
    expect(await ana.call(members.leaveDeveloper)).toMatchObject(lastOwner)
    expect(await ana.call(members.changeLevel, { id, permission: 'owner' })).toMatchObject({ ok: true })
    expect(await levelsIn(organization)).toEqual({ Ana: 'owner', Bor: 'admin' })
  })

  test('one of two owners can be demoted and leave', async () => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, 'owner')
    expect(await ana.call(members.changeLevel, { id: await idOf(ana), permission: 'member' })).toMatchObject({
      ok: true,
    })
    expect(await ana.call(members.leaveDeveloper)).toMatchObject({ ok: true, data: {} })
    expect(await levelsIn(organization)).toEqual({ Bor: 'owner' })
    expect(await ana.call(developers.getDeveloper)).toMatchObject({ problem: { code: 'no_developer' } })
    const me = good(await ana.call(account.getAccount))
    expect(me.developer_accounts.map(({ developer_id }) => developer_id)).not.toContain(organization.developer_id)
  })

  test('is the only one whose account is not disabled', async () => {
    const organization = await createOrganization(server, ana)
    await organization.join(bor, 'owner')
    await organization.join(cvetka, 'admin')
    const setDisabled = (disabled_at: string | null) =>
      server.store.db.updateTable('users').set({ disabled_at }).where('id', '=', bor.user.id).execute()
    await setDisabled(server.clock.now().toISOString())
    try {
      const id = await idOf(ana)
      expect(await ana.call(members.leaveDeveloper)).toMatchObject(lastOwner)
      expect(await ana.call(members.removeMember, { id })).toMatchObject(lastOwner)
      expect(await ana.call(members.changeLevel, { id, permission: 'admin' })).toMatchObject(lastOwner)
      expect(await ana.call(members.changeLevel, { id: await idOf(bor), permission: 'admin' })).toMatchObject({
        ok: true,
      })
      expect(await ana.call(members.removeMember, { id: await idOf(bor) })).toMatchObject({ ok: true })
      expect(await levelsIn(organization)).toEqual({ Ana: 'owner', Cvetka: 'admin' })
    } finally {
      await setDisabled(null)
    }
  })

  test('one owner remains after concurrent removals, demotions and departures', async () => {
    for (let round = 0; round < 8; round += 1) {
      const organization = await createOrganization(server, ana)
      await organization.join(bor, 'owner')
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
      expect(Object.values(await levelsIn(organization))).toContain('owner')
    }
  })
})

test('records changes with members and invitations by id, which are shown by their names', async () => {
  const organization = await createOrganization(server, ana)
  await organization.join(bor, 'member')
  await organization.join(cvetka, 'member')
  const id = await idOf(bor)
  good(await ana.call(members.changeLevel, { id, permission: 'developer' }))
  good(await ana.call(members.changeLevel, { id, permission: 'developer' }))
  good(await ana.call(members.removeMember, { id }))
  good(await cvetka.call(members.leaveDeveloper))
  const invited = good(await ana.call(members.inviteMember, { email: 'nova@example.com', permission: 'analyst' }))
  good(await ana.call(members.removeMember, { id: invited.id }))
  expect((await recorded(organization)).slice(1)).toEqual([
    ['CHANGED_LEVEL', { member: bor.user.id, from: 'member', to: 'developer' }],
    ['REMOVED_MEMBER', { member: bor.user.id }],
    ['LEFT', {}],
    ['INVITED_MEMBER', { invitation: invited.id, to: 'analyst' }],
    ['WITHDREW_INVITATION', { invitation: invited.id }],
  ])
  const shown = good(await ana.call(developers.listDeveloperActivity)).map(({ params }) => params.name)
  expect(shown.slice(0, 5)).toEqual(['nova@example.com', 'nova@example.com', undefined, 'Bor Horvat', 'Bor Horvat'])
})

test('prunes invitations 30 days after they expired', async () => {
  const organization = await createOrganization(server, ana)
  good(await ana.call(members.inviteMember, { email: 'davna@example.com' }))
  const kept = async () =>
    (
      await server.store.read
        .selectFrom('invitations')
        .select('email')
        .where('developer_id', '=', organization.developer_id)
        .execute()
    ).length
  server.clock.advance(36 * 24 * 60 * 60)
  await pruneAll(server.deps)
  expect(await kept()).toBe(1)
  server.clock.advance(2 * 24 * 60 * 60)
  await pruneAll(server.deps)
  expect(await kept()).toBe(0)
})

describe('handing control over requires a fresh sign-in (security §7.5.3)', () => {
  const stale = { http: 403, problem: { code: 'reauthentication_required' } }
  const ok = { ok: true }
  let owner: SignedIn
  let other: SignedIn
  let organization: Organization
  let id: string
  beforeEach(async () => {
    owner = await server.as(people.ana)
    other = await server.as(people.bor)
    organization = await createOrganization(server, owner)
  })

  /** Makes the other user a member and lets the fresh sign-in of the owner expire. */
  async function later(level: Level) {
    await organization.join(other, level)
    id = (await listMembers(owner)).find(({ user }) => user.id === other.user.id)?.id as string
    server.clock.advance(601)
    for (const person of [owner, other]) await switchTo(person, organization.developer_id)
  }
  const reauthenticate = async (person: SignedIn, { password }: { password: string }) =>
    expect(await person.call(sessions.reauthenticate, { password })).toMatchObject(ok)

  // A developer can replace secrets and add redirect URIs with a fresh sign-in of their own.
  test.each(['developer', 'moderator', 'admin', 'owner'] as const)('granting the level %s', async (permission) => {
    await later('member')
    const invited = { email: `${permission}@example.com`, permission }
    expect(await owner.call(members.changeLevel, { id, permission })).toMatchObject(stale)
    expect(await owner.call(members.inviteMember, invited)).toMatchObject(stale)
    await reauthenticate(owner, people.ana)
    const { id: invitation } = good(await owner.call(members.inviteMember, invited))
    expect(await owner.call(members.changeLevel, { id, permission })).toMatchObject(ok)
    server.clock.advance(601)
    await switchTo(owner, organization.developer_id)
    expect(await owner.call(members.resendInvitation, { id: invitation })).toMatchObject(stale)
  })

  test('not granting a level that changes no app, nor lowering or removing a member who is not an owner', async () => {
    await later('admin')
    const invited = { email: 'reader@example.com', permission: 'analyst' } as const
    expect(await owner.call(members.inviteMember, invited)).toMatchObject(ok)
    for (const permission of ['moderator', 'developer', 'analyst', 'member'] as const)
      expect(await owner.call(members.changeLevel, { id, permission })).toMatchObject(ok)
    expect(await owner.call(members.removeMember, { id })).toMatchObject(ok)
  })

  test('lowering an owner', async () => {
    await later('owner')
    const lower = { id, permission: 'member' } as const
    expect(await owner.call(members.changeLevel, lower)).toMatchObject(stale)
    expect(await levelsIn(organization)).toEqual({ Ana: 'owner', Bor: 'owner' })
    await reauthenticate(owner, people.ana)
    expect(await owner.call(members.changeLevel, lower)).toMatchObject(ok)
  })

  test('removing an owner', async () => {
    await later('owner')
    expect(await owner.call(members.removeMember, { id })).toMatchObject(stale)
    expect(await levelsIn(organization)).toEqual({ Ana: 'owner', Bor: 'owner' })
    await reauthenticate(owner, people.ana)
    expect(await owner.call(members.removeMember, { id })).toMatchObject(ok)
  })

  test('leaving as an owner', async () => {
    await later('owner')
    expect(await other.call(members.removeMember, { id })).toMatchObject(stale)
    expect(await other.call(members.leaveDeveloper)).toMatchObject(stale)
    await reauthenticate(other, people.bor)
    expect(await other.call(members.leaveDeveloper)).toMatchObject(ok)
  })
})
