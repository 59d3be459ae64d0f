import { clients, DEFAULT_QUOTAS, developers, LIMITS, members } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenIn } from '../../testing/mail.ts'
import { createOrganization, switchTo } from './organization.ts'
import { people } from './people.ts'
import { type RegisteredUser, registerConfirmedUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const reached = (limit: number) => ({ http: 409, problem: { code: 'limit_reached', params: { limit } } })
const DAY = 24 * 60 * 60

describe('quotas', () => {
  const quotas = { clients_per_organization: 3, members_per_organization: 4 }
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({}, quotas)
  })
  afterAll(() => server.close())

  test('a user owns at most ten organizations, also with concurrent requests', async () => {
    const ana = await server.as(people.ana)
    const create = () => ana.call(developers.createDeveloper, { name: 'Burja' })
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(DEFAULT_QUOTAS.organizations_per_person)
    expect(await create()).toMatchObject(reached(10))
    // A membership in the organization of another user does not count.
    const bor = await server.as(people.bor)
    const { developer_id } = good(await bor.call(developers.createDeveloper, { name: 'Krpan' }))
    await (await createOrganization(server, bor)).grant(ana, 'admin')
    expect(await create()).toMatchObject(reached(10))
    // Others can make the user an owner of more: otherwise they could not hand an organization over.
    const membership = good(await bor.call(members.listMembers)).find(({ user }) => user.id === ana.user.id)
    good(await bor.call(members.changeLevel, { id: membership?.id ?? '', permission: 'owner' }))
    expect(await create()).toMatchObject(reached(10))
    await switchTo(bor, developer_id)
    good(await bor.call(developers.deleteDeveloper, { name: 'Krpan' }))
    expect(await bor.call(developers.createDeveloper, { name: 'Krpan' })).toMatchObject({ ok: true })
  })

  test('an organization has a limited number of apps, also with concurrent requests', async () => {
    const cvetka = await server.as(people.cvetka)
    await createOrganization(server, cvetka)
    const create = () => cvetka.call(clients.createClient, { name: 'Jadrolet' })
    const answers = await Promise.all(Array.from({ length: 5 }, create))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(quotas.clients_per_organization)
    expect(await create()).toMatchObject(reached(3))
    const [first] = good(await cvetka.call(clients.listClients))
    good(await cvetka.call(clients.deleteClient, { id: first?.client_id ?? '' }))
    expect(await create()).toMatchObject({ ok: true })
  })

  test('an organization has a limited number of members and waiting invitations', async () => {
    const drago = await server.as(people.drago)
    await createOrganization(server, drago)
    const invite = (email: string) => drago.call(members.inviteMember, { email })
    for (const n of [1, 2, 3]) good(await invite(`member${n}@example.com`))
    expect(await invite('member4@example.com')).toMatchObject(reached(4))
    // A repeated invitation replaces one that waits; an ended one does not make room twice.
    const invited = good(await drago.call(members.listMembers)).find(({ pending }) => pending)
    const again = good(await drago.call(members.resendInvitation, { id: invited?.id ?? '' }))
    await server.store.db.updateTable('invitations').set({ ended_as: 'declined' }).where('id', '=', again.id).execute()
    good(await invite('member4@example.com'))
    expect(await drago.call(members.resendInvitation, { id: again.id })).toMatchObject(reached(4))
  })

  test('an organization has no more members, also by invitations that were void while others were sent', async () => {
    const owner = await registerConfirmedUser(server)
    const moderator = await registerConfirmedUser(server)
    const organization = await createOrganization(server, owner)
    await organization.join(moderator, 'moderator')
    const invited: { guest: RegisteredUser; token: string }[] = []
    const inviteTwo = async ({ call }: RegisteredUser) => {
      for (const guest of [await registerConfirmedUser(server), await registerConfirmedUser(server)]) {
        const { link } = good(await call(members.inviteMember, { email: guest.email }))
        invited.push({ guest, token: tokenIn(link) })
      }
    }
    await inviteTwo(moderator)
    await organization.grant(moderator, 'member')
    await inviteTwo(owner)
    await organization.grant(moderator, 'moderator')

    const answers = []
    for (const { guest, token } of invited) answers.push(await guest.call(members.acceptInvitation, { token }))
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, false, false])
    expect(answers.at(-1)).toMatchObject(reached(4))
    const last = invited.at(-1)?.guest
    const [waiting] = good(await (last as RegisteredUser).call(members.listInvitations))
    const join = () => last?.call(members.answerInvitation, { id: waiting?.id ?? '', accept: true })
    expect(await join()).toMatchObject(reached(4))
    good(await moderator.call(members.leaveDeveloper))
    expect(await join()).toMatchObject({ ok: true })
  })
})

describe('invitation mails', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({}, {})
  })
  afterAll(() => server.close())

  test('are limited to five a day to one address, from all senders', async () => {
    const email = 'popular@example.com'
    const senders = [await server.as(people.ana), await server.as(people.bor), await server.as(people.cvetka)]
    for (const sender of senders) await createOrganization(server, sender)
    const invite = async (n: number) => {
      const sender = senders[n % 3]
      if (!sender) throw new Error('no sender')
      const waiting = good(await sender.call(members.listMembers)).find(({ pending }) => pending)
      if (waiting) return await sender.call(members.resendInvitation, { id: waiting.id })
      return await sender.call(members.inviteMember, { email })
    }
    for (let n = 0; n < LIMITS.invitation_mails_per_address; n += 1) expect(await invite(n)).toMatchObject({ ok: true })
    server.clock.advance(60)
    for (const n of [5, 6, 7]) {
      expect(await invite(n)).toMatchObject({
        http: 429,
        retry_after: DAY - 60,
        problem: { code: 'too_many_requests' },
      })
    }
    expect((await server.outbox()).filter(({ to }) => to === email)).toHaveLength(5)
    const [ana] = senders
    expect(await ana?.call(members.inviteMember, { email: 'other@example.com' })).toMatchObject({ ok: true })
    const rows = await server.store.read.selectFrom('mail_counts').select('key').execute()
    expect(JSON.stringify(rows)).not.toContain('popular')
  })

  test('are limited to twenty a day from one sender, also across organizations and after one is deleted', async () => {
    const drago = await server.as(people.drago)
    const invite = (n: number) => drago.call(members.inviteMember, { email: `guest${n}@example.com` })
    await createOrganization(server, drago)
    for (let n = 0; n < 10; n += 1) good(await invite(n))
    good(await drago.call(developers.deleteDeveloper, { name: 'Kraški studio' }))
    const { developer_id } = await createOrganization(server, drago)
    for (let n = 10; n < 20; n += 1) good(await invite(n))
    expect(await invite(20)).toMatchObject(reached(DEFAULT_QUOTAS.invitation_mails_per_day))
    server.clock.advance(DAY + 1)
    await switchTo(drago, developer_id)
    expect(await invite(20)).toMatchObject({ ok: true })
  })
})
