import { account, auth, invitations, LEVELS, LIMITS, mayGive, members, privacy } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { lettersTo, mailedToken, newcomer, tabOf } from '../../../test/newcomer.ts'
import { type Organisation, openOrganisation, switchTo } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { pruneAll } from '../../prune.ts'

let house: House
let ana: SignedIn
let bor: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  bor = await house.as(people.bor)
})
afterAll(() => house?.close())
beforeEach(async () => {
  // Bounds are per organisation; each test has its own.
  organisation = await openOrganisation(house, ana)
})

const tokenOf = (link: string) => link.split('/').at(-1) ?? ''
const WEEK = 7 * 24 * 60 * 60

async function confirmedNewcomer() {
  const person = await newcomer(house)
  const email_verified_at = house.clock.now().toISOString()
  await house.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', person.user.id).execute()
  return person
}

async function invite(email: string, permission: 'member' | 'developer' | 'owner' = 'developer') {
  if (permission === 'owner') good(await ana.call(auth.reauthenticate, { password: people.ana.password }))
  const invited = good(await ana.call(members.inviteMember, { email, permission }))
  return { ...invited, token: tokenOf(invited.link) }
}

const told = async (token: string) => good(await house.visitor().call(invitations.describeInvitation, { token }))

describe('§6 inviting', () => {
  test.each(LEVELS)('%s invites at the levels of the table, and no other', async (own) => {
    await organisation.join(bor, own)
    for (const permission of LEVELS) {
      const email = `${own}.${permission}@example.com`
      const answer = await bor.call(members.inviteMember, { email, permission })
      const expected = mayGive(own, permission) ? 201 : 403
      expect([permission, answer.http]).toEqual([permission, expected])
    }
    const pending = good(await ana.call(members.listMembers)).filter((one) => one.pending)
    expect(pending.map(({ permission }) => permission).sort()).toEqual(LEVELS.filter((to) => mayGive(own, to)).sort())
  })

  test('mails the link, and answers it this once; what is kept is a hash', async () => {
    const { link, token, ...shown } = await invite('nova1@example.com')
    expect(shown).toMatchObject({
      user: { id: null, first_name: '', email: 'nova1@example.com' },
      permission: 'developer',
      joined_at: null,
      pending: true,
      invitation: { state: 'waiting', inviter: 'Ana Kovač' },
    })
    expect(link).toBe(`http://localhost:3000/accept-invitation/${token}`)
    expect(await mailedToken(house, 'nova1@example.com')).toBe(token)
    const rows = await house.store.read.selectFrom('invitations').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(good(await ana.call(members.listMembers)))).not.toContain(token)
    expect(house.logged()).not.toContain(token)
  })

  test('the mail speaks the language of the account, else that of whoever invites', async () => {
    await invite(people.bor.email)
    expect((await lettersTo(house, people.bor.email)).at(-1)?.subject).toMatch(/^Pozvani/)
    await invite('nova2@example.com')
    const letter = (await lettersTo(house, 'nova2@example.com')).at(-1)
    expect(letter?.subject).toBe('Povabljeni ste v organizacijo')
    expect(letter?.text).toMatch(/^Pozdravljeni,\n\nAna Kovač vas vabi v organizacijo Kraški studio/)
    expect(letter?.text).not.toContain('obstaja račun')
  })

  test('the level is member when none is given; the address is one without regard to case', async () => {
    expect(good(await ana.call(members.inviteMember, { email: ' Nova3@Example.com ' }))).toMatchObject({
      user: { email: 'nova3@example.com' },
      permission: 'member',
    })
    expect(await ana.call(members.inviteMember, { email: 'NOVA3@example.com' })).toMatchObject({
      http: 409,
      problem: { code: 'already_invited', fields: { email: 'taken' } },
    })
  })

  test('members are not invited', async () => {
    await organisation.join(bor, 'member')
    const answer = await ana.call(members.inviteMember, { email: people.bor.email })
    expect(answer).toMatchObject({ http: 409, problem: { code: 'already_member' } })
  })

  test.each([
    [{ email: 'nobody' }, { email: 'invalid_email' }],
    [{ email: 'a@example.com, b@example.com' }, { email: 'invalid_email' }],
    [{ email: 'a@example.com', permission: 'chief' }, { permission: 'invalid' }],
    [{ email: 'a@example.com', link: 'x' }, { link: 'unknown' }],
  ])('refuses %j and invites nobody', async (input, fields) => {
    const answer = await ana.call(members.inviteMember, input as never)
    expect(answer).toMatchObject({ http: 400, problem: { code: 'invalid_request', fields } })
    expect(good(await ana.call(members.listMembers))).toHaveLength(1)
  })

  test('is bounded for an address and for a day', async () => {
    const { id } = await invite('nova4@example.com')
    let current = id
    for (let times = 1; times < LIMITS.invitations_per_address_and_day; times += 1)
      current = good(await ana.call(members.resendInvitation, { id: current })).id
    expect(await ana.call(members.resendInvitation, { id: current })).toMatchObject({ http: 429 })
    for (let times = LIMITS.invitations_per_address_and_day; times < LIMITS.invitations_per_day; times += 1)
      good(await ana.call(members.inviteMember, { email: `many${times}@example.com` }))
    expect(await ana.call(members.inviteMember, { email: 'one-more@example.com' })).toMatchObject({ http: 429 })
    house.clock.advance(24 * 60 * 60 + 1)
    await switchTo(ana, organisation.developer_id)
    expect(await ana.call(members.inviteMember, { email: 'one-more@example.com' })).toMatchObject({ http: 201 })
  })

  test('two at once for one address leave one invitation', async () => {
    await organisation.join(bor, 'owner')
    const answers = await Promise.all([ana, bor].map((p) => p.call(members.inviteMember, { email: 'z@example.com' })))
    expect(answers.map(({ http }) => http).sort()).toEqual([201, 409])
  })
})

describe('§6 joining', () => {
  test('gives the level once; the organisation becomes current', async () => {
    const person = await confirmedNewcomer()
    const { token } = await invite(person.email)
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({
      data: { developer_id: organisation.developer_id, permission: 'developer' },
    })
    expect(good(await person.call(account.getAccount))).toMatchObject({
      developer_id: organisation.developer_id,
      permission: 'developer',
    })
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({
      http: 400,
      problem: { code: 'invalid_token' },
    })
    expect((await told(token)).state).toBe('accepted')
    expect(good(await ana.call(members.listMembers)).filter(({ pending }) => pending)).toEqual([])
  })

  test('many at once make one member', async () => {
    const person = await confirmedNewcomer()
    const { token } = await invite(person.email)
    const tabs = [1, 2, 3, 4].map(() => tabOf(house, person))
    const answers = await Promise.all(tabs.map((tab) => tab.call(invitations.acceptInvitation, { token })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(good(await ana.call(members.listMembers))).toHaveLength(2)
  })

  test('withdrawing at the same moment: either nobody joins, or there was nothing to withdraw', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await confirmedNewcomer()
      const { token, id } = await invite(person.email)
      const [joined, withdrawn] = await Promise.all([
        person.call(invitations.acceptInvitation, { token }),
        ana.call(members.removeMember, { id }),
      ])
      expect([joined.ok, withdrawn.ok].filter(Boolean)).toHaveLength(1)
    }
  })

  test('is only for the account that holds the address', async () => {
    const { token } = await invite('nova5@example.com')
    const refused = await bor.call(invitations.acceptInvitation, { token })
    expect(refused).toMatchObject({ http: 403, problem: { code: 'wrong_account' } })
    expect((await told(token)).state).toBe('waiting')
  })

  test('… and has confirmed it', async () => {
    const person = await newcomer(house)
    const { token, id } = await invite(person.email)
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({
      http: 403,
      problem: { code: 'email_not_verified' },
    })
    expect(good(await person.call(invitations.listInvitations))).toEqual([])
    expect(await person.call(invitations.answerInvitation, { id, accept: true })).toMatchObject({ http: 404 })
    const confirmation = (await lettersTo(house, person.email)).find(({ link }) => link.includes('confirm-email'))
    good(await person.call(account.verifyEmail, { token: tokenOf(confirmation?.link ?? '') }))
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({ ok: true })
  })

  test('an address that is only wanted as a new one does not count', async () => {
    const person = await confirmedNewcomer()
    good(await person.call(account.updateAccount, { email: 'wanted@example.com' }))
    const { token } = await invite('wanted@example.com')
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({
      problem: { code: 'wrong_account' },
    })
  })

  test('ends after seven days', async () => {
    const person = await confirmedNewcomer()
    const { token, id } = await invite(person.email)
    house.clock.advance(WEEK)
    good(await person.call(auth.refresh, {}))
    await switchTo(ana, organisation.developer_id)
    expect(await told(token)).toMatchObject({ state: 'expired', email: null })
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    expect(await person.call(invitations.answerInvitation, { id, accept: true })).toMatchObject({ http: 404 })
    expect(good(await ana.call(members.listMembers))).toMatchObject([{}, { id, invitation: { state: 'expired' } }])
    // Inviting the address again takes its place.
    const again = await invite(person.email)
    expect(good(await ana.call(members.listMembers))).toMatchObject([{}, { id: again.id }])
    expect((await told(token)).state).toBe('replaced')
  })

  test('the right of whoever invited is asked again', async () => {
    const person = await confirmedNewcomer()
    await organisation.join(bor, 'owner')
    const { link } = good(await bor.call(members.inviteMember, { email: person.email, permission: 'admin' }))
    await organisation.join(bor, 'moderator')
    expect((await told(tokenOf(link))).state).toBe('void')
    expect(good(await person.call(invitations.listInvitations))).toEqual([])
    expect(await person.call(invitations.acceptInvitation, { token: tokenOf(link) })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
    // Somebody who may vouch for it sends it again.
    await switchTo(ana, organisation.developer_id)
    const [, , pending] = good(await ana.call(members.listMembers))
    expect(pending).toMatchObject({ invitation: { state: 'void', inviter: 'Bor Horvat' } })
    const anew = good(await ana.call(members.resendInvitation, { id: pending?.id ?? '' }))
    expect(await person.call(invitations.acceptInvitation, { token: tokenOf(anew.link) })).toMatchObject({
      data: { permission: 'admin' },
    })
  })

  test('whoever left no longer vouches', async () => {
    const person = await confirmedNewcomer()
    await organisation.join(bor, 'moderator')
    const { link } = good(await bor.call(members.inviteMember, { email: person.email }))
    good(await bor.call(members.leaveDeveloper))
    expect((await told(tokenOf(link))).state).toBe('void')
  })

  test('never raises a member', async () => {
    const person = await confirmedNewcomer()
    const { token } = await invite(person.email, 'owner')
    await organisation.join(person, 'member')
    expect(await person.call(invitations.acceptInvitation, { token })).toMatchObject({
      http: 409,
      problem: { code: 'already_member' },
    })
    expect(good(await person.call(account.getAccount)).permission).toBe('member')
  })
})

describe('§7 what an invitation is', () => {
  test('is told to whoever has the link, signed in or not', async () => {
    const { token, id } = await invite('nova6@example.com')
    const expected = {
      id,
      developer: { name: 'Kraški studio', logo: null, website: null },
      inviter: 'Ana Kovač',
      permission: 'developer',
      state: 'waiting',
      email: 'nova6@example.com',
    }
    expect(await told(token)).toMatchObject(expected)
    expect(await bor.call(invitations.describeInvitation, { token })).toMatchObject({ data: expected })
  })

  test.each(['nonsense', 'x'.repeat(43)])('a link that was never made is not valid: %s', async (token) => {
    const answer = await house.visitor().call(invitations.describeInvitation, { token })
    expect(answer).toMatchObject({ http: 400, problem: { code: 'invalid_token' } })
    expect(await bor.call(invitations.acceptInvitation, { token })).toMatchObject({ http: 400 })
  })

  test('withdrawn, declined and replaced ones say so, and no longer whom they were for', async () => {
    const person = await confirmedNewcomer()
    const first = await invite(person.email)
    const second = good(await ana.call(members.resendInvitation, { id: first.id }))
    expect(await told(first.token)).toMatchObject({ state: 'replaced', email: null })
    expect(await bor.call(invitations.answerInvitation, { id: second.id, accept: false })).toMatchObject({ http: 404 })
    good(await person.call(invitations.answerInvitation, { id: second.id, accept: false }))
    expect(await told(tokenOf(second.link))).toMatchObject({ state: 'declined', email: null })
    // Whoever invited sees that it was declined, and takes it off the list.
    const [, shown] = good(await ana.call(members.listMembers))
    expect(shown).toMatchObject({ id: second.id, invitation: { state: 'declined' } })
    good(await ana.call(members.removeMember, { id: second.id }))
    expect(await told(tokenOf(second.link))).toMatchObject({ state: 'withdrawn', email: null })
    expect(await ana.call(members.removeMember, { id: second.id })).toMatchObject({ http: 404 })
    expect(await ana.call(members.resendInvitation, { id: second.id })).toMatchObject({ http: 404 })
    expect(good(await ana.call(members.listMembers))).toHaveLength(1)
  })

  test('those that wait stand on the home page of their account, and are answered there', async () => {
    const person = await confirmedNewcomer()
    const { id } = await invite(person.email)
    await openOrganisation(house, bor, 'Burja')
    const other = good(await bor.call(members.inviteMember, { email: person.email }))
    expect(good(await person.call(invitations.listInvitations))).toMatchObject([
      { id: other.id, developer: { name: 'Burja' }, inviter: 'Bor Horvat', permission: 'member' },
      { id, developer: { name: 'Kraški studio' }, permission: 'developer' },
    ])
    expect(await person.call(invitations.answerInvitation, { id: other.id, accept: false })).toMatchObject({
      data: { developer: null },
    })
    expect(await person.call(invitations.answerInvitation, { id, accept: true })).toMatchObject({
      data: { developer: { developer_id: organisation.developer_id, permission: 'developer' } },
    })
    expect(good(await person.call(invitations.listInvitations))).toEqual([])
  })

  test('withdrawing and resending ask for what inviting asks for', async () => {
    const { id } = await invite('nova7@example.com', 'owner')
    await organisation.join(bor, 'admin')
    const refused = { http: 403, problem: { code: 'insufficient_level', params: { needed: 'owner' } } }
    expect(await bor.call(members.removeMember, { id })).toMatchObject(refused)
    expect(await bor.call(members.resendInvitation, { id })).toMatchObject(refused)
  })
})

test('§3 a deleted account takes along what it was invited to; what it invited to is void', async () => {
  const person = await confirmedNewcomer()
  const inviter = await confirmedNewcomer()
  await organisation.join(inviter, 'admin')
  const { token } = await invite(person.email)
  const { link } = good(await inviter.call(members.inviteMember, { email: 'nova8@example.com' }))
  for (const one of [person, inviter]) good(await one.call(privacy.deleteAccount, {}))
  house.clock.advance(14 * 24 * 60 * 60)
  await pruneAll(house.deps)
  expect(await house.visitor().call(invitations.describeInvitation, { token })).toMatchObject({ http: 400 })
  expect(await told(tokenOf(link))).toMatchObject({ state: 'expired', inviter: null })
})
