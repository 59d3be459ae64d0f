import { account, activity, adminUsers, audit, operators, policy, privacy, security } from '@vrata/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { authenticator } from '../../../test/authenticator.ts'
import { createOperator, grantRole, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { registerConfirmedUser, registerUser } from '../../../test/registered-user.ts'
import { good, withSecondFactor } from '../../../test/second-factor.ts'
import { beforeTransaction, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { addOperator, printAuditVerification, printOperators, removeOperator } from '../../commands/operators.ts'
import { printSetupLink } from '../../main.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => server.close())

/** The setup link that a server prints at its start. */
async function printed(): Promise<string[]> {
  const lines: string[] = []
  await printSetupLink(server.deps, (line) => lines.push(line))
  return lines
}
const tokenOf = ([line = '']: string[]) => line.split('/').at(-1) ?? ''

describe('a new installation', () => {
  test('starts when the database does not answer while the link is made, and prints none', async () => {
    const away = { ...server.deps, transaction: () => Promise.reject(new Error('the database is away')) }
    const lines: string[] = []
    await printSetupLink(away, (line) => lines.push(line))
    expect(lines).toEqual([])
  })

  test('prints a link; the first person who opens it with a protected account becomes its admin', async () => {
    const lines = await printed()
    expect(lines).toEqual([expect.stringMatching(/^To set it up: http:\/\/localhost:3000\/admin\/setup\/[\w-]{43}$/)])
    const token = tokenOf(lines)
    const stored = JSON.stringify(await server.store.db.selectFrom('setup_links').selectAll().execute())
    expect(stored).not.toContain(token)
    good(await server.browser().call(operators.checkSetupLink, { token }))

    const newcomer = await registerUser(server)
    const claim = () => newcomer.call(operators.completeSetup, { token })
    expect(await claim()).toMatchObject({ problem: { code: 'email_not_verified' } })
    await server.store.db
      .updateTable('users')
      .set({ email_verified_at: server.clock.now().toISOString() })
      .where('id', '=', newcomer.user.id)
      .execute()
    expect(await claim()).toMatchObject({ problem: { code: 'second_factor_required' } })
    await withSecondFactor(server, newcomer)
    // A refused attempt does not use up the link.
    expect(good(await claim())).toMatchObject({ role: 'admin', user: { id: newcomer.user.id }, second_factor: true })
    expect(await claim()).toMatchObject({ problem: { code: 'invalid_token' } })
    expect(good(await newcomer.call(account.getAccount)).operator_role).toBe('admin')
    expect(good(await newcomer.call(activity.listActivity))[0]?.type).toBe('OPERATOR_ROLE_CHANGED')
    expect(good(await newcomer.call(audit.listAudit))).toMatchObject([{ type: 'operator.added' }, {}, {}])

    const begun = good(await newcomer.call(operators.getSetup))
    expect(begun).toEqual({ state: 'open', public_url: 'http://localhost:3000', mail_server: false })
    expect(good(await newcomer.call(operators.updateSetup, { state: 'dismissed' })).state).toBe('dismissed')
    good(await newcomer.call(operators.updateSetup, { state: 'finished' }))
    good(await newcomer.call(operators.updateSetup, { state: 'finished' }))
    expect(good(await newcomer.call(operators.getSetup)).state).toBe('finished')
    const changes = good(await newcomer.call(audit.listAudit, { type: 'setup.changed' }))
    expect(changes.map((event) => event.changes?.state)).toEqual([
      ['dismissed', 'finished'],
      ['open', 'dismissed'],
    ])
    await server.store.db.deleteFrom('settings').where('key', '=', 'setup_state').execute()
    expect(good(await newcomer.call(operators.getSetup)).state).toBe('finished')

    expect(await printed()).toEqual([])
    await server.store.db.deleteFrom('operators').execute()
  })

  test('has one first admin when two links are used at once', async () => {
    const tokens = [tokenOf(await printed()), tokenOf(await printed())]
    const newcomers = await Promise.all(tokens.map(() => registerConfirmedUser(server)))
    for (const one of newcomers) await withSecondFactor(server, one)
    const answers = await Promise.all(
      newcomers.map((one, i) => one.call(operators.completeSetup, { token: tokens[i] ?? '' })),
    )
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
    await server.store.db.deleteFrom('operators').execute()
  })

  test('has a link for 24 hours', async () => {
    const token = tokenOf(await printed())
    server.clock.advance(24 * 60 * 60 - 1)
    good(await server.browser().call(operators.checkSetupLink, { token }))
    server.clock.advance(1)
    expect(await server.browser().call(operators.checkSetupLink, { token })).toMatchObject({
      problem: { code: 'invalid_token' },
    })
  })
})

describe('operators', () => {
  let ana: Operator
  beforeAll(async () => {
    ana = await createOperator(server, people.ana, 'admin')
  })

  test('are added, changed and removed by an admin; the highest role comes first', async () => {
    const bor = await server.as(people.bor)
    const added = good(await ana.call(operators.addOperator, { email: people.bor.email, role: 'auditor' }))
    expect(added).toMatchObject({ role: 'auditor', second_factor: false, user: { email: people.bor.email } })
    const again = await ana.call(operators.addOperator, { email: people.bor.email, role: 'admin' })
    expect(again).toMatchObject({ problem: { code: 'already_operator', fields: { email: 'taken' } } })
    const user_id = bor.user.id
    expect(good(await ana.call(operators.changeOperator, { user_id, role: 'support' })).role).toBe('support')
    const listed = good(await ana.call(operators.listOperators))
    expect(listed.map(({ role }) => role)).toEqual(['admin', 'support'])
    expect(good(await bor.call(account.getAccount)).operator_role).toBe('support')
    good(await ana.call(operators.removeOperator, { user_id }))
    expect(good(await bor.call(account.getAccount)).operator_role).toBeNull()
    expect(await ana.call(operators.removeOperator, { user_id })).toMatchObject({ http: 404 })
  })

  test('keep the role that another admin has given meanwhile, until it is seen', async () => {
    const bor = await createOperator(server, people.bor, 'admin')
    const { user } = await server.as(people.cvetka)
    const user_id = user.id
    good(await ana.call(operators.addOperator, { email: people.cvetka.email, role: 'auditor' }))
    const decided = { http: 409, problem: { code: 'already_decided' } }
    const seen_role = 'auditor'
    const roleNow = async () =>
      good(await ana.call(operators.listOperators)).find(({ user }) => user.id === user_id)?.role
    good(await ana.call(operators.changeOperator, { user_id, role: 'support', seen_role }))
    expect(await bor.call(operators.changeOperator, { user_id, role: 'admin', seen_role })).toMatchObject(decided)
    expect(await bor.call(operators.removeOperator, { user_id, seen_role })).toMatchObject(decided)
    expect(await roleNow()).toBe('support')
    // The same role is given.
    good(await bor.call(operators.changeOperator, { user_id, role: 'support', seen_role }))
    // When many roles are set at the same moment, all but one are refused.
    const roles = (['admin', 'auditor'] as const).flatMap((role) => [role, role, role, role])
    const answers = await Promise.all(
      roles.map((role, n) =>
        (n % 2 ? ana : bor).call(operators.changeOperator, { user_id, role, seen_role: 'support' }),
      ),
    )
    const now = await roleNow()
    expect(roles).toContain(now)
    for (const [n, answer] of answers.entries()) expect(answer).toMatchObject(roles[n] === now ? { ok: true } : decided)
    good(await bor.call(operators.removeOperator, { user_id, seen_role: now }))
    await grantRole(server, bor, null)
  })

  test('are people with a confirmed address', async () => {
    const { email } = await registerUser(server)
    for (const unknown of [email, 'nobody@example.com'])
      expect(await ana.call(operators.addOperator, { email: unknown, role: 'support' })).toMatchObject({
        problem: { code: 'not_found', fields: { email: 'wrong' } },
      })
  })

  test('keep one admin: the last one can neither go, be lowered nor delete the account', async () => {
    const user_id = ana.user.id
    const last = { problem: { code: 'last_operator' } }
    expect(await ana.call(operators.removeOperator, { user_id })).toMatchObject(last)
    expect(await ana.call(operators.changeOperator, { user_id, role: 'support' })).toMatchObject(last)
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject(last)
  })

  test('keep one admin when two admins remove each other at once', async () => {
    const other = await registerConfirmedUser(server)
    await withSecondFactor(server, other)
    await grantRole(server, other, 'admin')
    await Promise.all([
      ana.call(operators.removeOperator, { user_id: other.user.id }),
      other.call(operators.removeOperator, { user_id: ana.user.id }),
    ])
    const left = await server.store.db.selectFrom('operators').select('role').execute()
    expect(left).toEqual([{ role: 'admin' }])
    await grantRole(server, other, null)
    await grantRole(server, ana, 'admin')
  })

  test('give and take no roles any more once their own is taken, also by a call that is on its way', async () => {
    const [bor, cvetka] = [await registerConfirmedUser(server), await registerConfirmedUser(server)]
    const { email } = await registerConfirmedUser(server)
    await withSecondFactor(server, bor)
    await grantRole(server, cvetka, 'admin')
    const { id: user_id } = cvetka.user
    const calls = [
      () => bor.call(operators.addOperator, { email, role: 'admin' }),
      () => bor.call(operators.changeOperator, { user_id, role: 'auditor' }),
      () => bor.call(operators.removeOperator, { user_id }),
    ]
    const refused = [
      [null, { http: 404 }],
      ['support', { http: 403, problem: { code: 'insufficient_level' } }],
    ] as const
    for (const [role, answer] of refused)
      for (const call of calls) {
        await grantRole(server, bor, 'admin')
        beforeTransaction(server, () => grantRole(server, bor, role))
        expect(await call()).toMatchObject(answer)
      }
    const roles = good(await ana.call(operators.listOperators)).map(({ user, role }) => [user.id, role])
    expect(roles.sort()).toEqual(
      [
        [ana.user.id, 'admin'],
        [bor.user.id, 'support'],
        [user_id, 'admin'],
      ].sort(),
    )
    for (const one of [bor, cvetka]) await grantRole(server, one, null)
  })

  test('keep one admin when one admin after the other deletes the account', async () => {
    const other = await registerConfirmedUser(server)
    const response = authenticator().create(good(await other.call(security.passkeyOptions)))
    good(await other.call(security.addPasskey, { name: 'Telefon', response }))
    await grantRole(server, other, 'admin')
    good(await other.call(privacy.deleteAccount, {}))
    const last = { problem: { code: 'last_operator' } }
    expect(await ana.call(privacy.deleteAccount, {})).toMatchObject(last)
    expect(await ana.call(operators.changeOperator, { user_id: ana.user.id, role: 'auditor' })).toMatchObject(last)
    // Only the admin whose account is being deleted has a passkey.
    expect(await ana.call(policy.updatePolicy, { password_sign_in: false })).toMatchObject(last)
    await grantRole(server, other, null)
  })

  test('keep one admin who can sign in by a way that is on', async () => {
    const own = await startTestServer()
    const able = await createOperator(own, people.ana, 'admin')
    const response = authenticator().create(good(await able.call(security.passkeyOptions)))
    good(await able.call(security.addPasskey, { name: 'Telefon', response }))
    const other = await createOperator(own, people.bor, 'admin')
    good(await able.call(policy.updatePolicy, { password_sign_in: false }))
    const last = { problem: { code: 'last_operator' } }
    const ana = able.user.id
    expect(await other.call(operators.removeOperator, { user_id: ana })).toMatchObject(last)
    expect(await other.call(operators.changeOperator, { user_id: ana, role: 'support' })).toMatchObject(last)
    expect(await other.call(adminUsers.disableUser, { id: ana, reason: 'Left.' })).toMatchObject(last)
    expect(await able.call(privacy.deleteAccount, {})).toMatchObject(last)
    // One who cannot sign in is not needed.
    good(await able.call(operators.removeOperator, { user_id: other.user.id }))
    await own.close()
  })

  test('are added, listed and removed by commands, which the audit log names', async () => {
    const cvetka = await server.as(people.cvetka)
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    await addOperator(server.config, [people.cvetka.email, '--role', 'auditor'])
    await printOperators(server.config)
    await removeOperator(server.config, [people.cvetka.email])
    await printAuditVerification(server.config)
    expect(lines.join('\n')).toContain(`auditor  ${people.cvetka.email}  (without second factor or passkey)`)
    expect(lines.at(-1)).toMatch(/^The audit log is whole: \d+ events\.$/)
    const [removed] = good(await ana.call(audit.listAudit, { subject: cvetka.user.id }))
    expect(removed).toMatchObject({ actor: { kind: 'command', name: 'vrata operator remove' } })
  })

  test('commands print JSON', async () => {
    const lines: string[] = []
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
    await printOperators(server.config, ['--json'])
    await printAuditVerification(server.config, ['--json'])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ role: 'admin', user: { email: people.ana.email } })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ ok: true })
    await expect(printOperators(server.config, ['--all'])).rejects.toMatchObject({ name: 'CommandError', exitCode: 2 })
  })

  test('commands say in a sentence what is wrong', async () => {
    await expect(addOperator(server.config, ['somebody'])).rejects.toThrow('Give the email address')
    await expect(addOperator(server.config, ['nobody@example.com'])).rejects.toThrow(
      'No account with a confirmed address is nobody@example.com.',
    )
    await expect(addOperator(server.config, [people.bor.email, '--role', 'king'])).rejects.toThrow('one of auditor')
    await expect(removeOperator(server.config, [people.bor.email])).rejects.toThrow('is no operator.')
    await expect(removeOperator(server.config, [people.ana.email])).rejects.toThrow('is the last admin')
  })
})
