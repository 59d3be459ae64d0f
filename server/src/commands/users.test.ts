import { account, type audit, groups, security, signIn } from '@vrata/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { authenticator } from '../../test/authenticator.ts'
import { createOperator } from '../../test/operator.ts'
import { people } from '../../test/people.ts'
import { setPolicy } from '../../test/policy.ts'
import { runCommand, startForCommands } from '../../test/processes/commands.ts'
import { mailsTo, registerConfirmedUser } from '../../test/registered-user.ts'
import { good } from '../../test/second-factor.ts'
import type { CommandError } from './command-error.ts'
import * as commands from './users.ts'

afterEach(() => vi.restoreAllMocks())

test('a person is found, disabled with a reason, enabled, signed out, unlocked and mailed a link from the command line', async () => {
  const server = await startForCommands()
  const ana = await registerConfirmedUser(server)
  const bor = await registerConfirmedUser(server)
  expect(await runCommand(server, commands.listUsers, ana.email)).toMatch(
    new RegExp(`^${ana.user.id}  active +${ana.email}`),
  )
  expect(await runCommand(server, commands.listUsers, '--limit', '1')).toMatch(
    new RegExp(`${bor.email}\nThere are more`),
  )
  expect(JSON.parse(await runCommand(server, commands.showUser, ana.email))).toMatchObject({
    id: ana.user.id,
    status: 'active',
  })

  expect(await runCommand(server, commands.disableUser, ana.email, '--reason', 'Lost laptop')).toContain('is disabled')
  expect(await ana.call(account.getAccount)).toMatchObject({ http: 401 })
  const credentials = { username: ana.email, password: ana.password }
  expect(await server.browser().call(signIn.login, credentials)).toMatchObject({
    http: 403,
    problem: { code: 'account_disabled', params: { reason: 'Lost laptop' } },
  })
  await expect(runCommand(server, commands.resetUser, ana.email)).rejects.toThrow(
    'is disabled. Enable the account first.',
  )
  expect(JSON.parse(await runCommand(server, commands.enableUser, ana.user.id, '--json'))).toMatchObject({
    status: 'active',
  })
  expect(await server.browser().call(signIn.login, credentials)).toMatchObject({ ok: true })

  expect(await runCommand(server, commands.signOutUser, bor.email)).toContain('signed out everywhere')
  expect(await bor.call(account.getAccount)).toMatchObject({ http: 401 })
  expect(await runCommand(server, commands.unlockUser, bor.email)).toContain('can try again')
  expect(await runCommand(server, commands.resetUser, bor.email)).toContain('mail with a link')
  // Commands have the time of the machine.
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000 + 1)
  expect((await mailsTo(server, bor.email)).at(-1)?.link).toContain('/change-password/')

  const events = await server.store.db
    .selectFrom('audit_events')
    .select(['type', 'actor_name'])
    .where('actor_kind', '=', 'command')
    .orderBy('position')
    .execute()
  const types: audit.AuditType[] = [
    'user.disabled',
    'user.enabled',
    'user.sessions_ended',
    'user.unlocked',
    'user.reset_sent',
  ]
  expect(events.map(({ type }) => type)).toEqual(types)
  expect(events[0]?.actor_name).toBe('vrata user disable')
})

test('a person is created, invited, deleted and restored from the command line', async () => {
  const server = await startForCommands()
  const names = ['--first-name', 'Vida', '--last-name', 'Žagar']
  const created = await runCommand(server, commands.createUser, '--email', 'Vida@example.com', ...names)
  expect(created).toMatch(/^vida@example.com has an account \(.+\) and can choose a password/)
  const invite = await runCommand(server, commands.createUser, '--email', 'bor@example.com', '--invite', '--json')
  expect(JSON.parse(invite)).toMatchObject({ email: 'bor@example.com', status: 'unconfirmed' })
  // Commands have the time of the machine.
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000 + 1)
  expect(await mailsTo(server, 'vida@example.com')).toEqual([])
  expect((await mailsTo(server, 'bor@example.com')).at(-1)?.link).toContain('/accept-account/')
  await expect(runCommand(server, commands.createUser, '--email', 'bor@example.com')).rejects.toThrow(
    'has an account already',
  )
  expect(await runCommand(server, commands.deleteUser, 'vida@example.com')).toContain('will be deleted in 14 days')
  expect(JSON.parse(await runCommand(server, commands.showUser, 'vida@example.com'))).toMatchObject({
    status: 'deleting',
  })
  expect(await runCommand(server, commands.restoreUser, 'vida@example.com')).toContain('will not be deleted')
})

test('an admin whose passkeys are lost gets a link to a new one, where passwords are off', async () => {
  const server = await startForCommands()
  const ana = await registerConfirmedUser(server)
  const key = authenticator()
  const response = key.create(good(await ana.call(security.passkeyOptions)))
  good(await ana.call(security.addPasskey, { name: 'Telefon', response }))
  await setPolicy(server, { password_sign_in: false })
  await expect(runCommand(server, commands.resetUser, ana.email)).rejects.toThrow('by vrata user reset-factors')
  const reason = ['--reason', 'Asked in person']
  expect(await runCommand(server, commands.resetUserFactors, ana.email, ...reason)).toContain('in 24 hours')
  await expect(runCommand(server, commands.resetUserFactors, ana.email, ...reason)).rejects.toThrow('--immediately')
  expect(await runCommand(server, commands.resetUserFactors, ana.email, ...reason, '--immediately')).toContain(
    'a link to a new passkey',
  )
  await expect(runCommand(server, commands.resetUserFactors, ana.email, ...reason)).rejects.toThrow('has neither')
  // Commands have the time of the machine.
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000 + 1)
  expect((await mailsTo(server, ana.email)).at(-1)?.link).toContain('/new-passkey/')
  const removed = server.store.db
    .selectFrom('audit_events')
    .select('actor_name')
    .where('type', '=', 'user.factors_reset')
  expect(await removed.execute()).toEqual([{ actor_name: 'vrata user reset-factors' }])
})

test('a person is created in groups, and in none when one of them does not exist', async () => {
  const server = await startForCommands()
  const ana = await createOperator(server, people.ana, 'admin')
  for (const key of ['team', 'office']) good(await ana.call(groups.createGroup, { key, name: key }))
  const create = (email: string, ...keys: string[]) =>
    runCommand(server, commands.createUser, '--email', email, ...keys.flatMap((key) => ['--group', key]), '--json')
  const vida = JSON.parse(await create('vida@example.com', 'team', 'office', 'team'))
  expect(vida.groups.map(({ key }: { key: string }) => key).sort()).toEqual(['office', 'team'])
  await expect(create('bor@example.com', 'team', 'nobody')).rejects.toThrow('--group names a group that does not exist')
  await expect(runCommand(server, commands.showUser, 'bor@example.com')).rejects.toThrow('No account has the address')
})

test('unknown people and wrong arguments get a sentence', async () => {
  const server = await startForCommands()
  const failure = async (command: typeof commands.listUsers, ...args: string[]) =>
    (await runCommand(server, command, ...args).catch((error: CommandError) => error)) as CommandError
  expect(await failure(commands.showUser, 'nobody@example.com')).toMatchObject({
    message: 'No account has the address or id nobody@example.com.',
    exitCode: 1,
  })
  for (const [command, ...args] of [
    [commands.showUser],
    [commands.createUser],
    [commands.createUser, '--email', 'nobody'],
    [commands.createUser, '--email', 'a@example.com', '--group', 'Not A Key'],
    [commands.createUser, '--email', 'a@example.com', 'b@example.com'],
    [commands.enableUser, 'a@example.com', 'b@example.com'],
    [commands.disableUser, 'a@example.com'],
    [commands.disableUser, 'a@example.com', '--reason', 'two\nlines'],
    [commands.resetUserFactors, 'a@example.com', '--immediately'],
    [commands.listUsers, '--status', 'asleep'],
    [commands.listUsers, '--limit', '0'],
    [commands.unlockUser, '--force', 'a@example.com'],
  ] as const)
    expect(await failure(command, ...args)).toMatchObject({ name: 'CommandError', exitCode: 2 })
})
