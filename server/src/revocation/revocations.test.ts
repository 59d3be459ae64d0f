import {
  adminClients,
  adminUsers,
  clientAccess,
  clients,
  connections,
  developers,
  groups,
  members,
  privacy,
  security,
  sessions,
  signIn,
  users,
} from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSessions, addTokens } from '../../test/many-users.ts'
import { createOperator } from '../../test/operator.ts'
import { people } from '../../test/people.ts'
import {
  connectSockets,
  createHolder,
  type Holder,
  keepHolder,
  signInByPasskey,
} from '../../test/revocation/revocation-holder.ts'
import { ENDS, itemsOf } from '../../test/revocation/revocation-items.ts'
import { good, withSecondFactor } from '../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { deleteAccount, findUserForUpdate } from '../features/account/public.ts'
import { EFFECTS, REVOCABLES, type Revocable, type RevocationRow } from './revocables.ts'
import { REVOCATIONS, type RevocationEvent } from './revocations.ts'

let server: TestServer
/** Each with what makes everything what it was when it was created. */
type Prepared = { holder: Holder; startAgain: () => Promise<void> }
let withFactor: Prepared
let withoutFactor: Prepared
beforeAll(async () => {
  // All events come from the same browsers.
  server = await startTestServer({ VRATA_LIMITS_FACTOR: '100' }, undefined, TOKENS_AT_ONCE)
  const prepare = async (secondFactor: boolean) => {
    const holder = await createHolder(server, { secondFactor })
    return { holder, startAgain: await keepHolder(server, holder) }
  }
  withFactor = await prepare(true)
  withoutFactor = await prepare(false)
})
afterAll(() => server.close())

const NEW = 'drugacna-gora-17'

/** How a user, a member or the server causes each event. */
const EVENTS: Record<RevocationEvent, (holder: Holder) => Promise<unknown>> = {
  password_changed: async ({ person }) => {
    good(await person.call(security.changePassword, { current_password: person.password, new_password: NEW }))
    person.password = NEW
  },
  password_reset: async ({ person, factor, links }) => {
    const otp_token = factor?.phone.code()
    good(await person.call(signIn.resetPassword, { token: links.reset, new_password: NEW, otp_token }))
    person.password = NEW
  },
  unconfirmed_account_reset: async ({ person, links }) => {
    // An account of an earlier version may have all of this without a confirmed address.
    await server.store.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('id', '=', person.user.id)
      .execute()
    good(await person.call(signIn.resetPassword, { token: links.reset, new_password: NEW }))
    person.password = NEW
  },
  second_factor_enabled: async ({ person }) => withSecondFactor(server, person),
  second_factor_disabled: async ({ person, factor }) =>
    good(await person.call(security.disableOtp, { otp_token: factor?.phone.code() })),
  recovery_codes_renewed: async ({ person }) => good(await person.call(security.renewRecoveryCodes)),
  address_changed: async ({ person, links }) => {
    good(await person.call(security.verifyEmail, { token: links.confirmation }))
    person.email = `next-${person.email}`
  },
  account_disabled: async ({ person }) => {
    const operator = await createOperator(server, newcomer(), 'support')
    good(await operator.call(adminUsers.disableUser, { id: person.user.id, reason: 'A stolen phone.' }))
    // What remains is visible once the account is enabled again.
    good(await operator.call(adminUsers.enableUser, { id: person.user.id }))
  },
  signed_out_by_operator: async ({ person }) => {
    const operator = await createOperator(server, newcomer(), 'support')
    good(await operator.call(adminUsers.endUserSessions, { id: person.user.id }))
  },
  factors_reset: async ({ person }) => {
    const operator = await createOperator(server, newcomer(), 'admin')
    const immediate = { id: person.user.id, reason: 'A call', immediately: true }
    good(await operator.call(adminUsers.resetFactors, immediate))
  },
  account_unlocked: async ({ person }) => {
    const operator = await createOperator(server, newcomer(), 'support')
    good(await operator.call(adminUsers.unlockUser, { id: person.user.id }))
  },
  signed_out: async ({ person, at }) =>
    good(await person.call(sessions.logoutSession, { id: at.other.user.session_id })),
  signed_out_elsewhere: async ({ person }) => good(await person.call(sessions.logoutAll, {})),
  signed_out_everywhere: async ({ person }) => good(await person.call(sessions.logoutAll, { include_current: true })),
  passkey_removed: async ({ person, keys: [{ id }] }) => good(await person.call(security.removePasskey, { id })),
  deletion_requested: async ({ person }) => good(await person.call(privacy.deleteAccount, {})),
  deletion_canceled: async ({ person, keys }) => {
    const due_at = new Date(server.clock.now().getTime() + 1000 * 60 * 60).toISOString()
    const row = { user_id: person.user.id, requested_at: server.clock.now().toISOString(), due_at }
    await server.store.db.insertInto('account_deletions').values(row).execute()
    expect(await signInByPasskey(server, keys[1])).toBe(true)
    const left = server.store.read.selectFrom('account_deletions').selectAll().where('user_id', '=', person.user.id)
    expect(await left.execute()).toEqual([])
  },
  account_deleted: ({ person }) =>
    server.deps.transaction(async (deps) => {
      const user = await findUserForUpdate(deps.db, person.user.id)
      if (user) await deleteAccount(deps, user)
    }),
  app_unlinked: async ({ person, app }) =>
    good(await person.call(connections.removeConnection, { client: app.client_id })),
  scope_revoked: async ({ person, app }) =>
    good(await person.call(connections.revokeScope, { client: app.client_id, key: 'email' })),
  scope_granted: async ({ person, app }) => {
    // Revoked by a transaction that has not seen what the app got meanwhile.
    const ofPerson = server.store.db.updateTable('connections').where('user_id', '=', person.user.id)
    await ofPerson
      .set({ scopes: '["openid","profile"]' as never })
      .where('client_id', '=', app.client_id)
      .execute()
    good(await person.call(connections.submitConsent, { client: app.client_id, scopes: ['email'] }))
  },
  offline_access_revoked: async ({ person, app }) =>
    good(await person.call(connections.revokeScope, { client: app.client_id, key: 'offline_access' })),
  user_blocked: async ({ person, app }) =>
    good(await app.owner.call(users.setUserBlocked, { id: person.user.id, blocked: true })),
  app_access_changed: async ({ app }) =>
    good(
      await app.owner.call(clientAccess.setAccess, { id: app.client_id, mode: 'people', people: ['x@example.com'] }),
    ),
  app_access_changed_again: async ({ app: { client_id, owner } }) => {
    // A change that is not in all connections yet.
    const { db } = server.store
    await db.updateTable('clients').set({ access_change: 'before' }).where('client_id', '=', client_id).execute()
    good(await owner.call(clientAccess.setAccess, { id: client_id, mode: 'people', people: ['x@example.com'] }))
    good(await owner.call(clientAccess.setAccess, { id: client_id, mode: 'everyone' }))
    await server.outbox()
  },
  group_left: async (holder) => {
    const { operator, key } = await openByGroup(holder)
    good(await operator.call(groups.removeGroupMember, { key, user_id: holder.person.user.id }))
  },
  group_deleted: async (holder) => {
    const { operator, key } = await openByGroup(holder)
    good(await operator.call(groups.deleteGroup, { key }))
  },
  app_disabled: async ({ app }) =>
    good(await app.owner.call(clients.updateClientInfo, { id: app.client_id, enabled: false })),
  app_enabled: async ({ app: { client_id, owner } }) => {
    // Disabled by a transaction that has not seen what the app got meanwhile.
    await server.store.db.updateTable('clients').set({ enabled: 0 }).where('client_id', '=', client_id).execute()
    good(await owner.call(clients.updateClientInfo, { id: client_id, enabled: true }))
  },
  app_rejected: async ({ app }) => {
    const operator = await createOperator(server, newcomer(), 'admin')
    good(await operator.call(adminClients.updateAdminClient, { id: app.client_id, approved: false }))
  },
  app_deleted: async ({ app }) => good(await app.owner.call(clients.deleteClient, { id: app.client_id })),
  redirect_uri_removed: async ({ app }) =>
    good(await app.owner.call(clients.removeRedirectUri, { id: app.client_id, redirect_uri: app.redirect_uri ?? '' })),
  secret_regenerated: async ({ app }) => {
    app.client_secret = good(await app.owner.call(clients.regenerateSecret, { id: app.client_id })).client_secret
  },
  member_level_lowered: async (holder) =>
    good(await holder.app.owner.call(members.changeLevel, { id: await memberId(holder), permission: 'member' })),
  member_removed: async (holder) =>
    good(await holder.app.owner.call(members.removeMember, { id: await memberId(holder) })),
  organization_deleted: async ({ app }) => good(await app.owner.call(developers.deleteDeveloper, { name: app.name })),
}

/** Lets only members of a new group use the app, with the user as its member: nothing ends yet. */
async function openByGroup({ person, app }: Holder) {
  const operator = await createOperator(server, newcomer(), 'admin')
  const key = `group-${newcomers}`
  good(await operator.call(groups.createGroup, { key, name: 'Staff' }))
  good(await operator.call(groups.addGroupMember, { key, user_id: person.user.id }))
  good(await app.owner.call(clientAccess.setAccess, { id: app.client_id, mode: 'groups', groups: [key] }))
  return { operator, key }
}

let newcomers = 0
/** A new user, who becomes an operator. */
function newcomer() {
  newcomers += 1
  return { ...people.drago, email: `operator-${newcomers}@example.com` }
}

async function memberId({ person, app }: Holder): Promise<string> {
  const all = good(await app.owner.call(members.listMembers))
  return all.find(({ user }) => user.id === person.user.id)?.id ?? ''
}

/** Events before which the second factor is off. */
const WITHOUT_SECOND_FACTOR: RevocationEvent[] = ['second_factor_enabled']

const ROWS = Object.entries(REVOCATIONS) as [RevocationEvent, RevocationRow][]
/** More than one transaction ends. */
const MANY_SESSIONS = 600
const TOKENS_AT_ONCE = 20
const MANY_TOKENS = 30

describe('what ends what', () => {
  test.each(ROWS)('%s', (event, row) => expectRow(event, row))

  // Only such an event is written in two parts (decision 0145).
  const ending = ROWS.filter(([, { sessions }]) => sessions === 'ends' || sessions === 'others_end')
  test.each(ending)('%s, of a person with very many sessions', (event, row) => expectRow(event, row, 'many sessions'))
  test.each(ending)('%s, of a person with very many sessions, once all rows are written', (event, row) =>
    expectRow(event, row, 'many sessions', 'written'),
  )

  // Such an event deletes no tokens that are many, and ends them (decision 0145).
  const endingTokens = ROWS.filter(([, { refresh_tokens }]) => refresh_tokens !== 'stays')
  test.each(endingTokens)('%s, of a person with very many tokens of an app', (event, row) =>
    expectRow(event, row, 'many tokens'),
  )
  test.each(endingTokens)('%s, of a person with very many tokens of an app, once all rows are written', (event, row) =>
    expectRow(event, row, 'many tokens', 'written'),
  )

  // The tokens of the session that stays end by themselves.
  test.each(ending)('%s, of a person with very many sessions, one with very many tokens of an app', (event, row) =>
    expectRow(event, row, 'many sessions', 'many tokens'),
  )

  type How = 'many sessions' | 'many tokens' | 'written'
  async function expectRow(event: RevocationEvent, row: RevocationRow, ...how: How[]) {
    const { holder, startAgain } = WITHOUT_SECOND_FACTOR.includes(event) ? withoutFactor : withFactor
    await startAgain()
    const sockets = await connectSockets(server, holder)
    if (how.includes('many sessions')) await addSessions(server, { like: holder.at.other, count: MANY_SESSIONS })
    if (how.includes('many tokens'))
      for (const { user } of [holder.at.current, holder.at.other])
        await addTokens(server, {
          app: holder.app,
          like: holder.person,
          count: MANY_TOKENS,
          session_id: user.session_id,
        })
    await EVENTS[event](holder)
    if (how.includes('written')) await server.outbox()
    const expected: [Revocable, string, string][] = []
    const seen: [Revocable, string, string][] = []
    for (const item of itemsOf(server, holder, sockets)) {
      const { revocable, name } = item
      const ends = ENDS[row[revocable]](item)
      expected.push([revocable, name, ends ? 'ended' : 'works'])
      // Sockets are closed after the answer, on all nodes, within a second (security §7.4).
      if (ends && revocable === 'sockets') await expect.poll(() => item.works()).toBe(false)
      seen.push([revocable, name, (await item.works()) ? 'works' : 'ended'])
    }
    expect(seen).toEqual(expected)
  }

  test('every kind of revocable and every effect is tried', async () => {
    const { holder, startAgain } = withFactor
    await startAgain()
    const items = itemsOf(server, holder, await connectSockets(server, holder))
    expect(new Set(items.map(({ revocable }) => revocable))).toEqual(new Set(Object.keys(REVOCABLES)))
    const effects = new Set(Object.values(REVOCATIONS).flatMap((row) => Object.values<string>(row)))
    expect(effects).toEqual(new Set(Object.keys(EFFECTS)))
  })
})
