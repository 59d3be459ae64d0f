import { account, canGrantLevel, LEVELS, members, privacy, security, sessions } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tokenIn } from '../../../../testing/mail.ts'
import { createOrganization, type Organization, switchTo } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { mailedToken, mailsTo, registerUser, tabOf } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneAll } from '../../prune.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
})
afterAll(() => server?.close())
beforeEach(async () => {
  // Limits are per developer account; each test has its own.
  organization = await createOrganization(server, ana)
})

const WEEK = 7 * 24 * 60 * 60

async function confirmedUser() {
  const person = await registerUser(server)
  const email_verified_at = server.clock.now().toISOString()
  await server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', person.user.id).execute()
  return person
}

async function invite(email: string, permission: 'member' | 'developer' | 'owner' = 'developer') {
  if (permission !== 'member') good(await ana.call(sessions.reauthenticate, { password: people.ana.password }))
  const invited = good(await ana.call(members.inviteMember, { email, permission }))
  return { ...invited, token: tokenIn(invited.link) }
}

const describeToken = async (token: string) => good(await server.browser().call(members.describeInvitation, { token }))

describe('inviting', () => {
  test.each(LEVELS)('lets %s grant exactly the levels of the table', async (own) => {
    await organization.join(bor, own)
    for (const permission of LEVELS) {
      const email = `${own}.${permission}@example.com`
      const answer = await bor.call(members.inviteMember, { email, permission })
      const expected = canGrantLevel(own, permission) ? 201 : 403
      expect([permission, answer.http]).toEqual([permission, expected])
    }
    const pending = good(await ana.call(members.listMembers)).filter((one) => one.pending)
    expect(pending.map(({ permission }) => permission).sort()).toEqual(
      LEVELS.filter((to) => canGrantLevel(own, to)).sort(),
    )
  })

  test('mails the link, returns it once and stores a hash', async () => {
    const { link, token, ...shown } = await invite('nova1@example.com')
    expect(shown).toMatchObject({
      user: { id: null, first_name: '', email: 'nova1@example.com' },
      permission: 'developer',
      joined_at: null,
      pending: true,
      invitation: { state: 'waiting', inviter: 'Ana Kovač' },
    })
    expect(link).toBe(`http://localhost:3000/accept-invitation/${token}`)
    expect(await mailedToken(server, 'nova1@example.com')).toBe(token)
    const rows = await server.store.read.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(good(await ana.call(members.listMembers)))).not.toContain(token)
    expect(server.logged()).not.toContain(token)
  })

  test('sends the mail in the language of the account, or else of the inviter', async () => {
    await invite(people.bor.email)
    expect((await mailsTo(server, people.bor.email)).at(-1)?.subject).toMatch(/^Pozvani/)
    await invite('nova2@example.com')
    const letter = (await mailsTo(server, 'nova2@example.com')).at(-1)
    expect(letter?.subject).toBe('Povabljeni ste v organizacijo')
    expect(letter?.text).toMatch(/^Pozdravljeni,\n\nAna Kovač vas vabi v organizacijo Kraški studio/)
    expect(letter?.text).not.toContain('obstaja račun')
  })

  test('defaults to the level member and ignores the case of the address', async () => {
    expect(good(await ana.call(members.inviteMember, { email: ' Nova3@Example.com ' }))).toMatchObject({
      user: { email: 'nova3@example.com' },
      permission: 'member',
    })
    expect(await ana.call(members.inviteMember, { email: 'NOVA3@example.com' })).toMatchObject({
      http: 409,
      problem: { code: 'already_invited', fields: { email: 'taken' } },
    })
  })

  test('rejects an address of a member', async () => {
    await organization.join(bor, 'member')
    const answer = await ana.call(members.inviteMember, { email: people.bor.email })
    expect(answer).toMatchObject({ http: 409, problem: { code: 'already_member' } })
  })

  test.each([
    [{ email: 'nobody' }, { email: 'invalid_email' }],
    [{ email: 'a@example.com, b@example.com' }, { email: 'invalid_email' }],
    [{ email: 'a@example.com', permission: 'chief' }, { permission: 'invalid' }],
    [{ email: 'a@example.com', link: 'x' }, { link: 'unknown' }],
  ])('rejects %j', async (input, fields) => {
    const answer = await ana.call(members.inviteMember, input as never)
    expect(answer).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(good(await ana.call(members.listMembers))).toHaveLength(1)
  })

  test('leaves one invitation after two concurrent ones to an address', async () => {
    await organization.join(bor, 'owner')
    const answers = await Promise.all([ana, bor].map((p) => p.call(members.inviteMember, { email: 'z@example.com' })))
    expect(answers.map(({ http }) => http).sort()).toEqual([201, 409])
  })
})

describe('accepting an invitation', () => {
  test('grants the level once and makes the developer account current', async () => {
    const person = await confirmedUser()
    const { token } = await invite(person.email)
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({
      data: { developer_id: organization.developer_id, permission: 'developer' },
    })
    expect(good(await person.call(account.getAccount))).toMatchObject({
      developer_id: organization.developer_id,
      permission: 'developer',
    })
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_token' },
    })
    expect((await describeToken(token)).state).toBe('accepted')
    expect(good(await ana.call(members.listMembers)).filter(({ pending }) => pending)).toEqual([])
  })

  test('creates one member under concurrent requests', async () => {
    const person = await confirmedUser()
    const { token } = await invite(person.email)
    const tabs = [1, 2, 3, 4].map(() => tabOf(server, person))
    const answers = await Promise.all(tabs.map((tab) => tab.call(members.acceptInvitation, { token })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(good(await ana.call(members.listMembers))).toHaveLength(2)
  })

  test('either accepts or withdraws an invitation under concurrent requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await confirmedUser()
      const { token, id } = await invite(person.email)
      const [joined, withdrawn] = await Promise.all([
        person.call(members.acceptInvitation, { token }),
        ana.call(members.removeMember, { id }),
      ])
      expect([joined.ok, withdrawn.ok].filter(Boolean)).toHaveLength(1)
    }
  })

  test('requires the account with the invited address', async () => {
    const { token } = await invite('nova5@example.com')
    const rejected = await bor.call(members.acceptInvitation, { token })
    expect(rejected).toMatchObject({ http: 403, problem: { code: 'wrong_account' } })
    expect((await describeToken(token)).state).toBe('waiting')
  })

  test('requires a confirmed address', async () => {
    const person = await registerUser(server)
    const { token, id } = await invite(person.email)
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({
      http: 403,
      problem: { code: 'email_not_verified' },
    })
    expect(good(await person.call(members.listInvitations))).toEqual([])
    expect(await person.call(members.answerInvitation, { id, accept: true })).toMatchObject({ http: 404 })
    const confirmation = (await mailsTo(server, person.email)).find(({ link }) => link.includes('confirm-email'))
    good(await person.call(security.verifyEmail, { token: tokenIn(confirmation?.link ?? '') }))
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({ ok: true })
  })

  test('ignores a pending email address', async () => {
    const person = await confirmedUser()
    good(await person.call(account.updateAccount, { email: 'wanted@example.com' }))
    const { token } = await invite('wanted@example.com')
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({
      problem: { code: 'wrong_account' },
    })
  })

  test('rejects an invitation after seven days', async () => {
    const person = await confirmedUser()
    const { token, id } = await invite(person.email)
    server.clock.advance(WEEK)
    good(await person.call(sessions.refresh, {}))
    await switchTo(ana, organization.developer_id)
    expect(await describeToken(token)).toMatchObject({ state: 'expired', email: null })
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    expect(await person.call(members.answerInvitation, { id, accept: true })).toMatchObject({ http: 404 })
    expect(good(await ana.call(members.listMembers))).toMatchObject([{}, { id, invitation: { state: 'expired' } }])
    // A new invitation to the address replaces it.
    const again = await invite(person.email)
    expect(good(await ana.call(members.listMembers))).toMatchObject([{}, { id: again.id }])
    expect((await describeToken(token)).state).toBe('replaced')
  })

  test('checks the permission of the inviter again', async () => {
    const person = await confirmedUser()
    await organization.join(bor, 'owner')
    good(await bor.call(sessions.reauthenticate, { password: people.bor.password }))
    const { link } = good(await bor.call(members.inviteMember, { email: person.email, permission: 'admin' }))
    await organization.join(bor, 'moderator')
    expect((await describeToken(tokenIn(link))).state).toBe('void')
    expect(good(await person.call(members.listInvitations))).toEqual([])
    expect(await person.call(members.acceptInvitation, { token: tokenIn(link) })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    // A member with the permission sends it again.
    await switchTo(ana, organization.developer_id)
    good(await ana.call(sessions.reauthenticate, { password: people.ana.password }))
    const [, , pending] = good(await ana.call(members.listMembers))
    expect(pending).toMatchObject({ invitation: { state: 'void', inviter: 'Bor Horvat' } })
    const anew = good(await ana.call(members.resendInvitation, { id: pending?.id ?? '' }))
    expect(await person.call(members.acceptInvitation, { token: tokenIn(anew.link) })).toMatchObject({
      data: { permission: 'admin' },
    })
  })

  test('rejects an invitation whose inviter has left', async () => {
    const person = await confirmedUser()
    await organization.join(bor, 'moderator')
    const { link } = good(await bor.call(members.inviteMember, { email: person.email }))
    good(await bor.call(members.leaveDeveloper))
    expect((await describeToken(tokenIn(link))).state).toBe('void')
  })

  test('rejects an invitation while its inviter is disabled', async () => {
    const person = await confirmedUser()
    const { token } = await invite(person.email)
    const disable = (disabled_at: string | null) =>
      server.store.db.updateTable('users').set({ disabled_at }).where('id', '=', ana.user.id).execute()
    await disable(server.clock.now().toISOString())
    expect((await describeToken(token)).state).toBe('void')
    expect(good(await person.call(members.listInvitations))).toEqual([])
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({ problem: { code: 'invalid_token' } })
    await disable(null)
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({ http: 200 })
  })

  test('rejects an invitation while operators have not approved the organization', async () => {
    const person = await confirmedUser()
    const { token } = await invite(person.email)
    const decide = (approval: 'rejected' | null) =>
      server.store.db.updateTable('developers').set({ approval }).where('id', '=', organization.developer_id).execute()
    await decide('rejected')
    expect(await describeToken(token)).toMatchObject({ state: 'void', email: null })
    expect(good(await person.call(members.listInvitations))).toEqual([])
    expect(await server.deps.invitations.isInvited(server.deps, token, person.email)).toBe(false)
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({ problem: { code: 'invalid_token' } })
    await decide(null)
    expect((await describeToken(token)).state).toBe('waiting')
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({ http: 200 })
  })

  test('does not change the level of a member', async () => {
    const person = await confirmedUser()
    const { token } = await invite(person.email, 'owner')
    await organization.join(person, 'member')
    expect(await person.call(members.acceptInvitation, { token })).toMatchObject({
      http: 409,
      problem: { code: 'already_member' },
    })
    expect(good(await person.call(account.getAccount)).permission).toBe('member')
  })
})

describe('describing an invitation', () => {
  test('needs only the token', async () => {
    const { token, id } = await invite('nova6@example.com')
    const expected = {
      id,
      developer: { name: 'Kraški studio', logo: null, website: null },
      inviter: 'Ana Kovač',
      permission: 'developer',
      state: 'waiting',
      email: 'nova6@example.com',
    }
    expect(await describeToken(token)).toMatchObject(expected)
    expect(await bor.call(members.describeInvitation, { token })).toMatchObject({ data: expected })
  })

  test.each(['nonsense', 'x'.repeat(43)])('rejects an unknown token: %s', async (token) => {
    const answer = await server.browser().call(members.describeInvitation, { token })
    expect(answer).toMatchObject({ http: 400, problem: { code: 'invalid_token' } })
    expect(await bor.call(members.acceptInvitation, { token })).toMatchObject({ http: 400 })
  })

  test('returns the state of withdrawn, declined and replaced invitations without the address', async () => {
    const person = await confirmedUser()
    const first = await invite(person.email)
    const second = good(await ana.call(members.resendInvitation, { id: first.id }))
    expect(await describeToken(first.token)).toMatchObject({ state: 'replaced', email: null })
    expect(await bor.call(members.answerInvitation, { id: second.id, accept: false })).toMatchObject({ http: 404 })
    good(await person.call(members.answerInvitation, { id: second.id, accept: false }))
    expect(await describeToken(tokenIn(second.link))).toMatchObject({ state: 'declined', email: null })
    // The inviter sees that it was declined and removes it from the list.
    const [, shown] = good(await ana.call(members.listMembers))
    expect(shown).toMatchObject({ id: second.id, invitation: { state: 'declined' } })
    good(await ana.call(members.removeMember, { id: second.id }))
    expect(await describeToken(tokenIn(second.link))).toMatchObject({ state: 'withdrawn', email: null })
    expect(await ana.call(members.removeMember, { id: second.id })).toMatchObject({ http: 404 })
    expect(await ana.call(members.resendInvitation, { id: second.id })).toMatchObject({ http: 404 })
    expect(good(await ana.call(members.listMembers))).toHaveLength(1)
  })

  test('lists waiting invitations for the account, which accepts or declines them', async () => {
    const person = await confirmedUser()
    const { id } = await invite(person.email)
    await createOrganization(server, bor, 'Burja')
    const other = good(await bor.call(members.inviteMember, { email: person.email }))
    expect(good(await person.call(members.listInvitations))).toMatchObject([
      { id: other.id, developer: { name: 'Burja' }, inviter: 'Bor Horvat', permission: 'member' },
      { id, developer: { name: 'Kraški studio' }, permission: 'developer' },
    ])
    expect(await person.call(members.answerInvitation, { id: other.id, accept: false })).toMatchObject({
      data: { developer: null },
    })
    expect(await person.call(members.answerInvitation, { id, accept: true })).toMatchObject({
      data: { developer: { developer_id: organization.developer_id, permission: 'developer' } },
    })
    expect(good(await person.call(members.listInvitations))).toEqual([])
  })

  test('requires the permission to invite for withdrawing and resending', async () => {
    const { id } = await invite('nova7@example.com', 'owner')
    await organization.join(bor, 'admin')
    const rejected = { http: 403, problem: { code: 'insufficient_level', params: { needed: 'owner' } } }
    expect(await bor.call(members.removeMember, { id })).toMatchObject(rejected)
    expect(await bor.call(members.resendInvitation, { id })).toMatchObject(rejected)
  })
})

test('deletes invitations to a deleted account and voids those that it sent', async () => {
  const person = await confirmedUser()
  const inviter = await confirmedUser()
  await organization.join(inviter, 'admin')
  const { token } = await invite(person.email)
  const { link } = good(await inviter.call(members.inviteMember, { email: 'nova8@example.com' }))
  for (const one of [person, inviter]) good(await one.call(privacy.deleteAccount, {}))
  server.clock.advance(14 * 24 * 60 * 60)
  await pruneAll(server.deps)
  expect(await server.browser().call(members.describeInvitation, { token })).toMatchObject({ http: 400 })
  expect(await describeToken(tokenIn(link))).toMatchObject({ state: 'expired', inviter: null })
})
