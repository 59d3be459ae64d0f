import { activity, audit, signIn, system } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { markJobFailed } from '../../../src/adapters/jobs/jobs.ts'
import { queueMail, resealMails } from '../../../src/adapters/mail/mail.ts'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { pruneFailedPayloads } from '../../adapters/jobs/prune-jobs.ts'
import { createEncryption } from '../../lib/encryption.ts'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer({ VRATA_CLIENT_REGISTRATION: 'on' })
  ana = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server.close())

const lastEvent = async () => good(await ana.call(audit.listAudit, { limit: 1 }))[0]

/** A mail that has failed; its link expires after some seconds. */
async function failedMail(seconds = 3600): Promise<string> {
  const values = { name: 'Bor', link: server.config.url }
  const expires_at = new Date(server.clock.now().getTime() + seconds * 1000).toISOString()
  const mail = { to: 'bor@example.org', locale: 'en-US', template: 'reset_password', values, expires_at } as const
  const id = await server.deps.transaction((tx) => queueMail(tx, mail))
  const job = { id, kind: 'mail', payload: '', attempts: 0, created_at: '', traceparent: null } as const
  await markJobFailed(server.store.db, job, server.clock.now(), 'the mail server refused it: 550', true)
  return id
}

describe('mails', () => {
  test('a test mail goes to the own address, in the own language, and is recorded', async () => {
    const waiting = good(await ana.call(system.sendTestMail))
    expect(waiting).toMatchObject({
      state: 'waiting',
      to: people.ana.email,
      subject: 'Preskusno sporočilo',
      attempts: 0,
    })
    expect(good(await ana.call(system.listMails)).map(({ id }) => id)).toContain(waiting.id)
    const tried = { to: people.ana.email, subject: 'Preskusno sporočilo' }
    expect(await server.outbox()).toContainEqual(expect.objectContaining(tried))
    const sent = good(await ana.call(system.getMail, { id: waiting.id }))
    expect(sent).toMatchObject({ state: 'sent', to: null, subject: null })
    expect(good(await ana.call(system.listMails)).map(({ id }) => id)).not.toContain(waiting.id)
    expect(await lastEvent()).toMatchObject({ type: 'mail.tested', subject: { kind: 'mail', id: waiting.id } })
  })

  test('a failed mail says why; only an admin reads the address; sent again, it arrives', async () => {
    const id = await failedMail()
    const reads = async () => good(await ana.call(system.listMails, { state: 'failed' })).find((one) => one.id === id)
    expect(await reads()).toMatchObject({
      to: 'bor@example.org',
      subject: 'Izberite novo geslo',
      error: 'the mail server refused it: 550',
      next_attempt_at: null,
    })
    await grantRole(server, ana, 'support')
    expect(await reads()).toMatchObject({ to: '*@example.org' })
    expect(good(await ana.call(system.retryMail, { id }))).toMatchObject({ state: 'waiting', to: '*@example.org' })
    await grantRole(server, ana, 'admin')
    expect(await lastEvent()).toMatchObject({ type: 'mail.retried', subject: { id } })
    expect(await server.outbox()).toContainEqual(expect.objectContaining({ to: 'bor@example.org' }))
    expect(await ana.call(system.retryMail, { id })).toMatchObject({ problem: { code: 'not_found' } })
  })

  test('cannot be sent again once the link has expired or the content is deleted', async () => {
    expect(await ana.call(system.retryMail, { id: await failedMail(-1) })).toMatchObject({
      problem: { code: 'mail_expired' },
    })
    const id = await failedMail()
    await pruneFailedPayloads(server.store.db, new Date(server.clock.now().getTime() + 8 * 24 * 3_600_000))
    expect(await ana.call(system.retryMail, { id })).toMatchObject({ problem: { code: 'mail_expired' } })
    expect(good(await ana.call(system.getMail, { id }))).toMatchObject({ state: 'failed', to: null, subject: null })
  })

  test('failed ones are encrypted again when the secret changes', async () => {
    await failedMail()
    const secret = 'another secret for tests, of a good length, and of nobody'
    const encryption = createEncryption(secret, () => [server.config.secret])
    const reseal = () => resealMails({ ...server.deps, encryption })
    expect(await reseal()).toBeGreaterThan(0)
    expect(await reseal()).toBe(0)
    await server.store.db.deleteFrom('jobs').where('kind', '=', 'mail').execute()
  })

  test('are listed page by page, newest first', async () => {
    const ids = [await failedMail(), await failedMail(), await failedMail()].reverse()
    const first = await ana.call(system.listMails, { limit: 2 })
    expect(good(first).map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const rest = await ana.call(system.listMails, { limit: 2, cursor: first.ok ? (first.next_cursor ?? '') : '' })
    expect(good(rest).map(({ id }) => id)).toEqual(ids.slice(2))
  })
})

describe('signing keys', () => {
  const published = async (node: TestServer) =>
    ((await node.app.inject('/jwks')).json() as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)

  test('are listed without the keys; a change activates the next ones', async () => {
    const before = good(await ana.call(system.listSigningKeys))
    expect(Object.keys(before[0] ?? {}).sort()).toEqual([
      'alg',
      'changed_at',
      'created_at',
      'kid',
      'published',
      'state',
    ])
    const next = before.find(({ alg, state }) => alg === 'RS256' && state === 'next')
    const after = good(await ana.call(system.rotateSigningKeys))
    expect(after.find(({ alg, state }) => alg === 'RS256' && state === 'active')?.kid).toBe(next?.kid)
    const active = before.find(({ alg, state }) => alg === 'RS256' && state === 'active')
    expect(await lastEvent()).toMatchObject({ type: 'key.rotated', changes: { RS256: [active?.kid, next?.kid] } })
    // The answer was lost, and the operator asks again: no app could know the next keys yet.
    const again = await ana.call(system.rotateSigningKeys)
    expect(again).toMatchObject({ http: 429, retry_after: 600, problem: { code: 'too_many_requests' } })
    expect(good(await ana.call(system.listSigningKeys))).toEqual(after)
    server.clock.advance(600)
    good(await ana.call(signIn.login, { username: people.ana.email, password: people.ana.password }))
    good(await ana.call(signIn.loginOtp, { otp_token: ana.phone.code() }))
    good(await ana.call(system.rotateSigningKeys))
  })

  test('a revoked one leaves the published list of every server; an unknown one is not found', async () => {
    const second = await server.secondNode()
    const keys = good(await ana.call(system.listSigningKeys))
    const kid = keys.find(({ state, published }) => state === 'active' && published)?.kid as string
    for (const node of [server, second]) await expect.poll(() => published(node)).toContain(kid)
    const left = good(await ana.call(system.revokeSigningKey, { kid }))
    expect(left.map((key) => key.kid)).not.toContain(kid)
    for (const node of [server, second]) await expect.poll(() => published(node)).not.toContain(kid)
    expect(await lastEvent()).toMatchObject({ type: 'key.revoked', subject: { kind: 'key', id: kid } })
    expect(await ana.call(system.revokeSigningKey, { kid })).toMatchObject({ http: 404 })
    await second.close()
  })
})

describe('tokens for registering apps', () => {
  test('register apps in the name of a member, who sees it; a deleted one registers none', async () => {
    const bor = await registerConfirmedUser(server)
    const { developer_id } = await createOrganization(server, bor)
    const { token, ...info } = good(
      await ana.call(system.createRegistrationToken, { developer_id, email: bor.email, uses: 2, days: 3 }),
    )
    expect(token).toMatch(/^vrti_/)
    expect(info).toMatchObject({ developer: { id: developer_id }, user: { id: bor.user.id }, registration_on: true })
    const listed = JSON.stringify(good(await ana.call(system.listRegistrationTokens)))
    expect(listed).toContain(info.id)
    expect(listed).not.toContain(token)
    expect(good(await bor.call(activity.listActivity))[0]?.type).toBe('OPERATOR_CREATED_REGISTRATION_TOKEN')
    expect(await lastEvent()).toMatchObject({
      type: 'registration_token.created',
      subject: { kind: 'developer', id: developer_id },
      changes: { user: [null, bor.user.id], uses: [null, 2] },
    })

    const register = async () => {
      const headers = { authorization: `Bearer ${token}` }
      const payload = { redirect_uris: [jadrolet.redirect_uri] }
      return (await server.app.inject({ method: 'POST', url: '/register-client', headers, payload })).statusCode
    }
    expect(await register()).toBe(201)
    expect(good(await ana.call(system.listRegistrationTokens))[0]).toMatchObject({ id: info.id, uses_left: 1 })
    good(await ana.call(system.deleteRegistrationToken, { id: info.id }))
    expect(await register()).toBe(401)
    expect(await ana.call(system.deleteRegistrationToken, { id: info.id })).toMatchObject({ http: 404 })
  })

  test('need a member who may create apps', async () => {
    const bor = await registerConfirmedUser(server)
    const stranger = await registerConfirmedUser(server)
    const { developer_id } = await createOrganization(server, bor)
    for (const terms of [
      { developer_id, email: stranger.email },
      { developer_id: 'unknown', email: bor.email },
    ])
      expect(await ana.call(system.createRegistrationToken, terms)).toMatchObject({
        problem: { code: 'not_found', fields: { email: 'wrong' } },
      })
  })
})

describe('the overview', () => {
  test('shows people, sign-ins, mails, keys, database and disk; figures are counted beside the requests', async () => {
    const before = good(await ana.call(system.getOverview))
    const [everybody] = await server.store.db
      .selectFrom('users')
      .select((e) => e.fn.countAll().as('all'))
      .execute()
    expect(before.people?.all).toBe(Number(everybody?.all))
    expect(before.people).toMatchObject({ new: before.people?.all, active: before.people?.all })
    expect(before.organizations).toBeGreaterThan(0)
    expect(before.apps).toBeGreaterThan(0)
    expect(before.days).toHaveLength(90)
    expect(before.keys.map(({ alg }) => alg)).toContain('RS256')
    expect(before.database.bytes).toBeGreaterThan(0)
    expect(before.disk?.free_bytes).toBeGreaterThan(0)

    await registerConfirmedUser(server)
    expect(good(await ana.call(system.getOverview)).people).toEqual(before.people)
    await server.store.db
      .updateTable('settings')
      .set({ value: '{"counted_at":""}' })
      .where('key', '=', 'overview_figures')
      .execute()
    await ana.call(system.getOverview)
    const counted = async () => good(await ana.call(system.getOverview)).people?.all
    await expect.poll(counted).toBe((before.people?.all ?? 0) + 1)
    await failedMail()
    expect(good(await ana.call(system.getOverview)).mails.failed).toBe(before.mails.failed + 1)
  })

  test('counts sign-ins and wrong passwords of every server, which write them from time to time', async () => {
    const today = async (caller = ana) => good(await caller.call(system.getOverview)).days.at(-1)
    const { sign_ins = 0, failures = 0 } = (await today()) ?? {}
    // Its timer never comes, so that it writes when it ends.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const second = await server.secondNode().finally(() => vi.useRealTimers())
    for (const node of [server, second]) {
      await node.browser().call(signIn.login, { username: people.ana.email, password: 'wrong password' })
      await registerConfirmedUser(node)
    }
    expect(await today()).toMatchObject({ sign_ins: sign_ins + 1, failures: failures + 1 })
    await second.close()
    expect(await today()).toMatchObject({ sign_ins: sign_ins + 2, failures: failures + 2 })
  })
})
