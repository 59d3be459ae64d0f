import { readdir } from 'node:fs/promises'
import { account, activity, developers, privacy, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization } from '../../../test/organization.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { mailsTo, type RegisteredUser, registerUser, signInAgain } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { FilesUnavailable } from '../../adapters/media/files.ts'
import { pruneAll } from '../../prune.ts'
import { deleteDueAccounts } from './public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const DAY = 24 * 60 * 60

async function confirmed(): Promise<RegisteredUser> {
  const person = await registerUser(server)
  const email_verified_at = server.clock.now().toISOString()
  await server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', person.user.id).execute()
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
      const rows = await server.store.db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute()
      return rows.length
    }),
  )
}

async function exists(user_id: string): Promise<boolean> {
  const row = await server.store.db.selectFrom('users').select('id').where('id', '=', user_id).executeTakeFirst()
  return row !== undefined
}

/** Expected text of a mail about an event: its time in UTC, then the device. The place of the test's addresses is not known. */
function factsOf(label: string, at: string): RegExp {
  return new RegExp(`${label}: \\w+ \\d+, \\d{4}, ${at.slice(11, 16)} UTC\nDevice: \\S`)
}

function signInAs({ email, password }: RegisteredUser) {
  return server
    .browser({ ip: `10.9.${Math.floor(Math.random() * 250)}.1` })
    .call(signIn.login, { username: email, password })
}

describe('deleting the account (api §3.10)', () => {
  test('ends all sessions and grants at once, and mails the user', async () => {
    const ana = await confirmed()
    const organization = await createOrganization(server, await confirmed(), 'Burja')
    const { client_id } = await organization.app()
    const phone = await signInAgain(server, ana)
    const now = server.clock.now().toISOString()
    const connection = { id: `connection of ${ana.user.id}`, user_id: ana.user.id, client_id, scopes: '["openid"]' }
    await server.store.db
      .insertInto('connections')
      .values({ ...connection, declined: '[]', created_at: now, updated_at: now, last_used_at: null })
      .execute()
    await server.store.db
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

    const due_at = new Date(server.clock.now().getTime() + 14 * DAY * 1000).toISOString()
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({
      ok: true,
      data: { due_at },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ http: 401 })
    expect(await ana.call(sessions.refresh, {})).toMatchObject({ http: 401 })
    expect(await phone.call(account.getAccount)).toMatchObject({ http: 401 })
    expect([...ana.cookies.keys()]).not.toContain('vrata_sid')
    const [, , , , , connections, tokens] = await rowsAbout(ana.user.id)
    expect([connections, tokens]).toEqual([0, 0])
    expect((await mailsTo(server, ana.email)).at(-1)?.subject).toBe('Your account will be deleted')
  })

  test('and the sign-in that cancels it are mailed with time, device and place', async () => {
    const ana = await confirmed()
    const requested = server.clock.now().toISOString()
    await ana.call(privacy.deleteAccount, {})
    server.clock.advance(DAY)
    const canceled = server.clock.now().toISOString()
    await signInAs(ana)
    const mails = await mailsTo(server, ana.email)
    const textOf = (subject: string) => mails.find((mail) => mail.subject === subject)?.text
    expect(textOf('Your account will be deleted')).toMatch(factsOf('Requested', requested))
    expect(textOf('Your account won’t be deleted')).toMatch(factsOf('When', canceled))
  })

  test('is canceled by a sign-in within 14 days, with a mail', async () => {
    const ana = await confirmed()
    await ana.call(privacy.deleteAccount, {})
    server.clock.advance(14 * DAY - 1)
    await pruneAll(server.deps)
    expect((await signInAs(ana)).ok).toBe(true)
    server.clock.advance(30 * DAY)
    await pruneAll(server.deps)
    expect(await exists(ana.user.id)).toBe(true)
    expect((await mailsTo(server, ana.email)).map(({ subject }) => subject)).toContain('Your account won’t be deleted')
    const back = await signInAgain(server, ana)
    expect(await back.call(activity.listActivity, { type: 'UNDID_DELETION' })).toMatchObject({
      data: [{ ip: expect.any(String) }],
    })
    expect(await back.call(activity.listActivity, { type: 'BEGAN_DELETION' })).toMatchObject({ data: [{}] })
  })

  test('is not canceled by a wrong password', async () => {
    const ana = await confirmed()
    await ana.call(privacy.deleteAccount, {})
    expect(
      await server.browser().call(signIn.login, { username: ana.email, password: 'not the password' }),
    ).toMatchObject({ ok: false })
    server.clock.advance(14 * DAY)
    await pruneAll(server.deps)
    expect(await exists(ana.user.id)).toBe(false)
  })

  test('deletes rows, pictures and archives, and frees the address', async () => {
    const ana = await confirmed()
    await signInAgain(server, ana)
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    const { data: me } = (await ana.call(account.getAccount)) as { data: account.UserInfo }
    await ana.call(privacy.requestData, {})
    await server.outbox()
    await ana.call(privacy.deleteAccount, { password: ana.password })
    server.clock.advance(14 * DAY)
    const updated_at = server.clock.now().toISOString()
    const keys = [
      `user:${ana.user.id}`,
      `device:${ana.user.id}:a-browser`,
      `session:${ana.user.id}`,
      `code:${ana.user.id}`,
    ]
    const throttle = { failures: 3, blocked_until: null, updated_at }
    await server.store.db
      .insertInto('throttles')
      .values(keys.map((key) => ({ key, ...throttle })))
      .execute()
    await pruneAll(server.deps)
    expect(await exists(ana.user.id)).toBe(false)
    expect(await rowsAbout(ana.user.id)).toEqual(Array(10).fill(0))
    const throttles = await server.store.db.selectFrom('throttles').select('key').execute()
    expect(throttles.filter(({ key }) => key.includes(ana.user.id))).toEqual([])
    await expect
      .poll(async () =>
        (await readdir(`${server.config.data_dir}/media`)).filter((name) =>
          name.startsWith((me.profile_picture ?? '').slice(0, 22)),
        ),
      )
      .toEqual([])
    await server.outbox()
    expect(await readdir(`${server.config.data_dir}/archives`)).toEqual([])
    expect(await signInAs(ana)).toMatchObject({ problem: { code: 'invalid_credentials' } })
    expect(await server.browser({ ip: '10.8.8.8' }).call(signIn.register, ana)).toMatchObject({ ok: false, http: 400 })
    const again = { email: ana.email, password: ana.password }
    expect(await server.browser({ ip: '10.8.8.8' }).call(signIn.register, again)).toMatchObject({ ok: true })
  })

  test('logs a failed deletion, rolls it back, and continues with the others', async () => {
    const people = await Promise.all([1, 2, 3].map(() => confirmed()))
    const [first, , last] = people.map(({ user }) => user.id).sort()
    for (const person of people) await person.call(privacy.deleteAccount, {})
    server.clock.advance(14 * DAY)
    const failing: typeof server.deps.transaction = (work) =>
      server.deps.transaction(async (deps) => {
        const done = await work(deps)
        const found = await deps.db
          .selectFrom('users')
          .select('id')
          .where('id', '=', first as string)
          .execute()
        if (found.length === 0) throw new Error('the disk is full')
        return done
      })
    // A batch size of one: a batch of failures does not hide later accounts.
    expect(await deleteDueAccounts({ ...server.deps, transaction: failing }, 1)).toBe(2)
    expect(await Promise.all([exists(first as string), exists(last as string)])).toEqual([true, false])
    expect(server.logged()).toMatch(/"err":\{[^}]*the disk is full[^\n]*an account could not be deleted/)
    await pruneAll(server.deps)
    expect(await exists(first as string)).toBe(false)
  })

  test('does not wait for a store of pictures that does not answer', async () => {
    const ana = await confirmed()
    await ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
    await ana.call(account.removeProfilePicture)
    await ana.call(privacy.deleteAccount, {})
    server.clock.advance(14 * DAY)
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9000'), { code: 'ECONNREFUSED' })
    const media = { ...server.deps.media, remove: () => Promise.reject(new FilesUnavailable(refused)) }
    await expect(pruneAll({ ...server.deps, media })).rejects.toThrow('some prunings have failed')
    expect(await exists(ana.user.id)).toBe(false)
    await pruneAll(server.deps)
  })

  test('removes the file of an archive later when the store of archives does not answer', async () => {
    const ana = await confirmed()
    await ana.call(privacy.requestData, { parts: ['account'] })
    await server.outbox()
    const { file } = await server.store.read
      .selectFrom('data_requests')
      .select('file')
      .where('user_id', '=', ana.user.id)
      .executeTakeFirstOrThrow()
    const files = () => readdir(`${server.config.data_dir}/archives`)
    expect(await files()).toContain(file)
    await ana.call(privacy.deleteAccount, { password: ana.password })
    server.clock.advance(14 * DAY)
    const { archives } = server.deps
    const { remove } = archives
    archives.remove = () => Promise.reject(new Error('the store of archives does not answer'))
    await deleteDueAccounts(server.deps, 10)
    await server.outbox()
    archives.remove = remove
    expect(await exists(ana.user.id)).toBe(false)
    server.clock.advance(60)
    await server.outbox()
    expect(await files()).not.toContain(file)
  })

  test('keeps each account whole or deleted under concurrent runs and sign-ins', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => confirmed()))
    for (const person of people) await person.call(privacy.deleteAccount, {})
    server.clock.advance(14 * DAY)
    const [, ...answers] = await Promise.all([pruneAll(server.deps), ...people.map(signInAs)])
    for (const [at, person] of people.entries()) expect(await exists(person.user.id)).toBe(answers[at]?.ok)
  })
})

describe('authentication of a deletion (api §3.10)', () => {
  test('requires the password or a sign-in of the last ten minutes', async () => {
    const ana = await confirmed()
    server.clock.advance(601)
    await ana.call(sessions.refresh, {})
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject({ problem: { code: 'reauthentication_required' } })
    expect(await ana.call(privacy.deleteAccount, { password: 'not the password' })).toMatchObject({
      problem: { code: 'invalid_password', fields: { password: 'wrong' } },
    })
    expect(await ana.call(privacy.deleteAccount, { password: '' })).toMatchObject({ http: 400 })
    expect(await server.browser().call(privacy.deleteAccount, { password: ana.password })).toMatchObject({ http: 401 })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({ ok: true })
  })

  test('throttles guesses of the password', async () => {
    const ana = await confirmed()
    let last = await ana.call(privacy.deleteAccount, { password: 'guess' })
    for (let tries = 0; tries < 12; tries += 1) last = await ana.call(privacy.deleteAccount, { password: 'guess' })
    expect(last).toMatchObject({ http: 429 })
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({ http: 429 })
  })
})

describe('accounts without a confirmed address (security §14.2.7)', () => {
  test('are deleted 14 days after registration', async () => {
    const [ana, bor] = [await registerUser(server), await confirmed()]
    server.clock.advance(14 * DAY - 1)
    await pruneAll(server.deps)
    expect(await exists(ana.user.id)).toBe(true)
    server.clock.advance(2)
    await pruneAll(server.deps)
    expect([await exists(ana.user.id), await exists(bor.user.id)]).toEqual([false, true])
    expect(await rowsAbout(ana.user.id)).toEqual(Array(10).fill(0))
    expect(await server.browser().call(signIn.register, { email: ana.email, password: ana.password })).toMatchObject({
      ok: true,
    })
  })
})

describe('developer accounts of a deleted user (api §3.10)', () => {
  test('rejects the last owner, and the preview lists the developer accounts', async () => {
    const ana = await confirmed()
    const bor = await confirmed()
    const { developer_id, join } = await createOrganization(server, ana, 'Kraški studio')
    await join(bor, 'admin')
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: {
        organizations_without_owner: [{ developer_id, name: 'Kraški studio' }],
        organizations_deleted: [],
        sessions: 1,
      },
    })
    expect(await ana.call(privacy.deleteAccount, { password: ana.password })).toMatchObject({
      http: 409,
      problem: { code: 'last_owner', params: { organizations: 'Kraški studio' } },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ ok: true })
    await join(bor, 'owner')
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: { organizations_without_owner: [], organizations_left: [{ developer_id }] },
    })
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject({ ok: true })
  })

  test('deletes a developer account without other members, and its apps', async () => {
    const ana = await confirmed()
    const { developer_id, app } = await createOrganization(server, ana, 'Sama')
    const { client_id } = await app()
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: { organizations_deleted: [{ name: 'Sama' }] },
    })
    await ana.call(privacy.deleteAccount, {})
    server.clock.advance(14 * DAY)
    await pruneAll(server.deps)
    const { db } = server.store
    expect(await db.selectFrom('developers').selectAll().where('id', '=', developer_id).execute()).toEqual([])
    expect(await db.selectFrom('clients').selectAll().where('client_id', '=', client_id).execute()).toEqual([])
  })

  test('makes the member with the highest level owner when the other owner left meanwhile', async () => {
    const ana = await confirmed()
    const bor = await confirmed()
    const cvetka = await confirmed()
    const drago = await confirmed()
    const { developer_id, join } = await createOrganization(server, ana, 'Dedna')
    await join(bor, 'owner')
    await join(drago, 'member')
    await join(cvetka, 'moderator')
    await ana.call(privacy.deleteAccount, {})
    await server.store.db.deleteFrom('members').where('user_id', '=', bor.user.id).execute()
    server.clock.advance(14 * DAY)
    await pruneAll(server.deps)
    const { email, password } = cvetka
    const back = await signInAgain(server, { email, password })
    await back.call(sessions.refresh, { developer_id })
    expect(await back.call(developers.getDeveloper)).toMatchObject({ data: { permission: 'owner' } })
  })

  test('counts no owner whose account is disabled', async () => {
    const [ana, bor, cvetka] = [await confirmed(), await confirmed(), await confirmed()]
    const { developer_id, join } = await createOrganization(server, ana, 'Dedna')
    await join(bor, 'owner')
    await join(cvetka, 'admin')
    const { db } = server.store
    const setDisabled = (disabled_at: string | null) =>
      db.updateTable('users').set({ disabled_at }).where('id', '=', bor.user.id).execute()
    const disabled_at = server.clock.now().toISOString()
    await setDisabled(disabled_at)
    expect(await ana.call(privacy.previewDeletion)).toMatchObject({
      data: { organizations_without_owner: [{ developer_id }], organizations_left: [] },
    })
    expect(await cvetka.call(privacy.previewDeletion)).toMatchObject({
      data: { organizations_without_owner: [], organizations_left: [{ developer_id }] },
    })
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject({ http: 409, problem: { code: 'last_owner' } })
    await setDisabled(null)
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject({ ok: true })
    // Disabled while the deletion waits.
    await setDisabled(disabled_at)
    server.clock.advance(14 * DAY)
    await pruneAll(server.deps)
    const members = await db.selectFrom('members').selectAll().where('developer_id', '=', developer_id).execute()
    const levelOf = ({ user }: typeof ana) => members.find(({ user_id }) => user_id === user.id)?.permission
    expect([levelOf(bor), levelOf(cvetka)]).toEqual(['owner', 'owner'])
  })

  test('makes no member owner whose account is disabled, while there is another one', async () => {
    const [ana, bor, cvetka, drago] = [await confirmed(), await confirmed(), await confirmed(), await confirmed()]
    const { developer_id, join } = await createOrganization(server, ana, 'Dedna')
    await join(bor, 'owner')
    await join(cvetka, 'admin')
    await join(drago, 'analyst')
    await ana.call(privacy.deleteAccount, {})
    const { db } = server.store
    await db.deleteFrom('members').where('user_id', '=', bor.user.id).execute()
    const disabled_at = server.clock.now().toISOString()
    await db.updateTable('users').set({ disabled_at }).where('id', '=', cvetka.user.id).execute()
    server.clock.advance(14 * DAY)
    await pruneAll(server.deps)
    const members = await db.selectFrom('members').selectAll().where('developer_id', '=', developer_id).execute()
    const levelOf = ({ user }: typeof ana) => members.find(({ user_id }) => user_id === user.id)?.permission
    expect([levelOf(cvetka), levelOf(drago)]).toEqual(['admin', 'owner'])
  })
})
