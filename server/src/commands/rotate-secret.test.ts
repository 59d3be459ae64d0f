import { existsSync, globSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { clients, sessions, signIn } from '@vrata/contract'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createOrganization } from '../../test/organization.ts'
import { type RegisteredUser, registerUser } from '../../test/registered-user.ts'
import { withSecondFactor } from '../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { allow, authorize, signInTo } from '../../test/third-party.ts'
import { readConfig } from '../config/config.ts'
import { findSetting, SECRET_FINGERPRINT } from '../db/settings.ts'
import { checkSecret, recordSecretsInUse } from '../main.ts'
import { failureSentence } from './failure.ts'
import { rotateSecret } from './rotate-secret.ts'

const OLD = 'the secret with which the installation began'
const NEW = 'the secret that replaces it after an incident'

afterEach(() => vi.restoreAllMocks())

/** Runs the command beside the running servers; resolves with what it prints. */
async function command(server: TestServer, settings: Record<string, string>, ...args: string[]): Promise<string> {
  const { data_dir, database_url, url } = server.config
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const env = { VRATA_DATA_DIR: data_dir, VRATA_URL: url, ...settings }
  await rotateSecret(readConfig(database_url ? { ...env, VRATA_DATABASE_URL: database_url } : env), args)
  return lines.join('\n')
}

async function start(settings: Record<string, string>): Promise<TestServer> {
  const server = await startTestServer(settings)
  onTestFinished(() => server.close())
  await checkSecret(server.deps, server.store)
  await recordSecretsInUse(server.deps, server.store)
  return server
}

async function nodeWith(server: TestServer, settings: Record<string, string>): Promise<TestServer> {
  const node = await server.secondNode(settings)
  onTestFinished(() => node.close())
  await checkSecret(node.deps, node.store)
  await recordSecretsInUse(node.deps, node.store)
  return node
}

async function confirmedUser(server: TestServer): Promise<RegisteredUser> {
  const person = await registerUser(server)
  const email_verified_at = server.clock.now().toISOString()
  await server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', person.user.id).execute()
  return person
}

/** Signs a user with a second factor in at a server, with a code of the app or a recovery code. */
async function signInWith(
  server: TestServer,
  { email, password }: RegisteredUser,
  factor: { otp_token: string } | { recovery_code: string },
) {
  const browser = server.browser()
  expect(await browser.call(signIn.login, { username: email, password })).toMatchObject({ ok: true })
  return await browser.call(signIn.loginOtp, factor)
}

describe('rotating a secret of the environment', () => {
  test('keeps sessions, second factors, recovery codes, hints and mails, and lets nodes follow one by one', async () => {
    const first = await start({ VRATA_SECRET: OLD, VRATA_NEW_SECRET: NEW })
    const ana = await confirmedUser(first)
    const { phone, codes } = await withSecondFactor(first, ana)
    const app = await (await createOrganization(first, ana)).app()
    await ana.call(clients.updateAdvanced, { id: app.client_id, subject_type: 'pairwise' })
    await allow(ana, app)
    const { id_token } = await signInTo(first, ana, app)
    expect(decodeJwt(id_token).sub).not.toBe(ana.user.id)
    const bor = await confirmedUser(first)

    const printed = await command(first, { VRATA_SECRET: OLD, VRATA_NEW_SECRET: NEW })
    expect(printed).toMatch(/^\d+ values were encrypted/)
    for (const name of ['VRATA_SECRET', 'VRATA_OLD_SECRET', 'VRATA_NEW_SECRET']) expect(printed).toContain(name)
    expect(printed).not.toContain(NEW)

    // A node with the new settings and one with the former ones serve the same users.
    const second = await nodeWith(first, { VRATA_SECRET: NEW, VRATA_OLD_SECRET: OLD, VRATA_NEW_SECRET: '' })
    const at = ({ app: node }: TestServer) => {
      const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return { request: (options: object) => node.inject({ ...options, headers: { cookie } }) }
    }
    for (const node of [first, second]) {
      const otp_token = phone.code()
      second.clock.advance((first.clock.now().getTime() - second.clock.now().getTime()) / 1000)
      const hint = await authorize(at(node) as never, app, { id_token_hint: id_token, prompt: 'none' })
      expect(hint.searchParams.get('code')).toBeTruthy()
      expect(await signInWith(node, ana, { otp_token })).toMatchObject({ ok: true })
      expect(await signInWith(node, ana, { recovery_code: codes.pop() as string })).toMatchObject({ ok: true })
    }
    // Encrypted by a node that still has the old secret.
    const late = await withSecondFactor(first, bor)

    const finished = await command(first, { VRATA_SECRET: NEW, VRATA_OLD_SECRET: OLD }, '--finish')
    expect(finished).toContain('Remove VRATA_OLD_SECRET')
    const last = await nodeWith(first, { VRATA_SECRET: NEW, VRATA_NEW_SECRET: '' })
    for (const [person, codesLeft] of [
      [ana, codes],
      [bor, late.codes],
    ] as const)
      expect(await signInWith(last, person, { recovery_code: codesLeft.pop() as string })).toMatchObject({ ok: true })
    const latest = (await signInTo(last, ana, app)).id_token
    expect(decodeProtectedHeader(latest).kid).toBe(decodeProtectedHeader(id_token).kid)
    expect(decodeJwt(latest).sub).toBe(decodeJwt(id_token).sub)
    expect((await last.outbox()).map(({ to }) => to)).toContain(ana.email)
    expect(await command(first, { VRATA_SECRET: NEW, VRATA_OLD_SECRET: OLD }, '--finish')).toMatch(/^0 values/)
    const events = first.store.read.selectFrom('audit_events').select(['actor_name', 'changes']).orderBy('position')
    expect(await events.where('type', '=', 'secret.rotated').execute()).toEqual(
      [false, true, true].map((finished) => ({
        actor_name: 'vrata secret rotate',
        changes: JSON.stringify({ finished: [null, finished] }),
      })),
    )
  })

  test('parallel refreshes at nodes with different secrets keep the session', async () => {
    const first = await start({ VRATA_SECRET: OLD, VRATA_NEW_SECRET: NEW })
    const second = await nodeWith(first, { VRATA_SECRET: NEW, VRATA_OLD_SECRET: OLD, VRATA_NEW_SECRET: '' })
    const ana = await confirmedUser(first)
    const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const refresh = ({ app }: TestServer) =>
      app.inject({
        method: sessions.refresh.method,
        url: `/v1${sessions.refresh.path}`,
        payload: {},
        headers: { cookie, origin: first.config.url },
      })
    const answers = [await refresh(first), await refresh(second)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const tokens = answers.map(({ cookies }) => cookies.find(({ name }) => name.endsWith('vrata_session'))?.value)
    expect(tokens[1]).toBe(tokens[0])
  })

  test('requires the new secret, and refuses to begin before the last rotation is finished', async () => {
    const server = await start({ VRATA_SECRET: OLD })
    await expect(command(server, { VRATA_SECRET: OLD })).rejects.toThrow('VRATA_NEW_SECRET: must be set')
    // The server could read nothing of what is encrypted with it.
    const unknown = { VRATA_SECRET: OLD, VRATA_NEW_SECRET: NEW }
    await expect(command(server, unknown)).rejects.toThrow('Set VRATA_NEW_SECRET on every server')
    const { db } = server.store
    const fingerprint = () => findSetting(db, SECRET_FINGERPRINT)
    expect(await fingerprint()).toBe(server.deps.encryption.derive('fingerprint', 'vrata'))
    await expect(command(server, { VRATA_SECRET: OLD, VRATA_NEW_SECRET: OLD })).rejects.toThrow('must not be the same')
    const same = { VRATA_SECRET: OLD, VRATA_OLD_SECRET: OLD }
    await expect(command(server, same, '--finish')).rejects.toThrow('must not be the same')
    await expect(command(server, { VRATA_SECRET: OLD }, '--finish')).rejects.toThrow('VRATA_OLD_SECRET')
    const both = { VRATA_SECRET: OLD, VRATA_NEW_SECRET: NEW }
    await expect(command(server, { ...both, VRATA_OLD_SECRET: NEW })).rejects.toThrow('--finish')
    await expect(command(server, { VRATA_SECRET: NEW, VRATA_NEW_SECRET: `${NEW} 2` })).rejects.toThrow('does not match')
  })
})

test('rotating a secret of the data folder: a running server continues to work, and the old secret is deleted at the end', async () => {
  const server = await start({ VRATA_SECRET: '' })
  const file = (name: string) => join(server.config.data_dir, name)
  const before = readFileSync(file('secret'), 'utf8')
  const ana = await confirmedUser(server)
  const { phone, codes } = await withSecondFactor(server, ana)

  expect(await command(server, {})).toContain(file('secret.old'))
  expect(readFileSync(file('secret.old'), 'utf8')).toBe(before)
  expect(readFileSync(file('secret'), 'utf8')).not.toBe(before)
  for (const name of ['secret', 'secret.old']) expect(statSync(file(name)).mode & 0o777).toBe(0o600)
  await expect(command(server, {})).rejects.toThrow('--finish')

  expect(await signInWith(server, ana, { otp_token: phone.code() })).toMatchObject({ ok: true })
  expect(await ana.call(sessions.refresh, {})).toMatchObject({ ok: true })
  // The running server still encrypts with the old one.
  await expect(command(server, {}, '--finish')).rejects.toThrow('Restart every server')
  const bor = await confirmedUser(server)
  const late = await withSecondFactor(server, bor)
  const restarted = await nodeWith(server, {})
  expect(await command(server, {}, '--finish')).toContain('deleted')
  expect(() => statSync(file('secret.old'))).toThrow('ENOENT')
  const last = await nodeWith(server, {})
  expect(await signInWith(restarted, ana, { recovery_code: codes[0] as string })).toMatchObject({ ok: true })
  const otp_token = late.phone.code()
  last.clock.advance((server.clock.now().getTime() - last.clock.now().getTime()) / 1000)
  expect(await signInWith(last, bor, { otp_token })).toMatchObject({ ok: true })
  await expect(command(server, {}, '--finish')).rejects.toThrow('nothing to finish')
})

test('when two commands rotate the secret of the data folder at once, one succeeds', async () => {
  const server = await start({ VRATA_SECRET: '' })
  const ana = await confirmedUser(server)
  const { codes } = await withSecondFactor(server, ana)
  const both = await Promise.allSettled([command(server, {}), command(server, {})])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { name: 'CommandError', message: expect.stringContaining('not finished') },
  })
  const restarted = await nodeWith(server, {})
  await command(server, {}, '--finish')
  expect(await signInWith(restarted, ana, { recovery_code: codes[0] as string })).toMatchObject({ ok: true })
  expect(globSync('*.part', { cwd: server.config.data_dir })).toEqual([])
})

test.skipIf(!existsSync('/dev/full'))('a rotation on a full disk changes nothing', async () => {
  const server = await start({ VRATA_SECRET: '' })
  const file = (name: string) => join(server.config.data_dir, name)
  const before = readFileSync(file('secret'), 'utf8')
  symlinkSync('/dev/full', file('secret.part'))
  const rotated = command(server, {}).catch((error: unknown) => error)
  expect(failureSentence(await rotated)).toBe(`${file('secret')}: the disk is full.`)
  expect(readFileSync(file('secret'), 'utf8')).toBe(before)
  expect(globSync('secret?*', { cwd: server.config.data_dir })).toEqual([])
  expect(await command(server, {})).toContain(file('secret.old'))
})

/** Files that encrypt, and how a rotation of the secret reaches their values. */
const ENCRYPTING = {
  'adapters/mail/mail.ts': 'resealMails',
  'features/clients/subjects.ts': 'resealPairwiseKey',
  'features/security/otp/recovery-code-keys.ts': 'carryRecoveryCodeKeys',
  'features/security/otp/second-factor.ts': 'resealSeeds',
  'issuer/ciba/notify-client.ts': 'resealNotifications',
  'issuer/interactions/provider-session.ts': 'resealSignOuts',
  'issuer/keys/signing-keys.ts': 'resealKeys',
  'issuer/tokens/grant-ids.ts': 'not stored: claims of access tokens, which live at most a day',
}

test('a rotation reaches every kind of encrypted value', () => {
  const folder = join(import.meta.dirname, '..')
  const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'lib/**'] })
  const encrypting = sources.filter((file) => /\bencrypt\(/.test(readFileSync(join(folder, file), 'utf8')))
  expect(encrypting.sort()).toEqual(Object.keys(ENCRYPTING))
})
