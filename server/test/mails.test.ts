import {
  type Answer,
  account,
  clients,
  LOCALES,
  type Locale,
  members,
  privacy,
  security,
  signIn,
  system,
} from '@vrata/contract'
import { translator } from '@vrata/phrases'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MailTemplate, waitingMails } from '../src/adapters/mail/mail.ts'
import { renderMail } from '../src/adapters/mail/templates/render.ts'
import { samples } from '../src/adapters/mail/templates/samples.ts'
import type { TransactionDeps } from '../src/deps.ts'
import { findUser, verifiedUserGuard } from '../src/features/account/public.ts'
import { updateAdminClient } from '../src/features/admin-clients/public.ts'
import { updateAdminOrganization } from '../src/features/admin-organizations/public.ts'
import { createUser, deleteUser, resetFactors, restoreUser } from '../src/features/admin-users/public.ts'
import { authenticator } from './authenticator.ts'
import { grantRole } from './operator.ts'
import { createOrganization } from './organization.ts'
import { mailedToken, type RegisteredUser, registerConfirmedUser, signInAgain } from './registered-user.ts'
import { good, phone, withSecondFactor } from './second-factor.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { allow, post, SCOPE } from './third-party.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** `act` causes the mail, `again` repeats it after a failure; `to` differs from the account's address. */
type Trigger = { act: () => Promise<unknown>; again?: () => Promise<unknown>; to?: string }
type Prepare = (person: RegisteredUser) => Promise<Trigger>

const NEW_PASSWORD = 'most-preko-soce-4'
const signInElsewhere = ({ email, password }: RegisteredUser) => signInAgain(server, { email, password })
const newAddress = (person: RegisteredUser) => person.email.replace('newcomer', 'moved')
const moving = async (person: RegisteredUser) =>
  good(await person.call(account.updateAccount, { email: newAddress(person) }))
const calling = (call: () => Promise<Answer<unknown>>): Trigger => ({ act: async () => good(await call()) })
/** Used for mails that a job queues; the job is retried when the clock advances. */
const asking = (call: () => Promise<Answer<unknown>>): Trigger => ({
  act: async () => {
    good(await call())
    await server.outbox()
  },
  again: async () => server.clock.advance(60),
})
const addPasskey = async (person: RegisteredUser) => {
  const response = authenticator().create(good(await person.call(security.passkeyOptions)))
  return await person.call(security.addPasskey, { name: 'Telefon', response })
}

/** Acts as a command, because an operator would need an account. */
const HELPER = { command: 'test', role: 'admin', locale: 'en-US' } as const
const resetFactorsOf = ({ user: { id } }: RegisteredUser, immediately: boolean) => {
  return server.deps.transaction((tx) => resetFactors(tx, HELPER, { id, reason: 'A call', immediately }))
}

const COMMAND = { command: 'test' }
/** An organization of the person. */
async function founded(p: RegisteredUser, approval: 'pending' | null): Promise<string> {
  const { developer_id: id } = await createOrganization(server, p)
  await server.store.db.updateTable('developers').set({ approval }).where('id', '=', id).execute()
  return id
}
async function createdApp(p: RegisteredUser): Promise<string> {
  return (await (await createOrganization(server, p)).app()).client_id
}

/** Each event with the mail that it sends. */
const MAILS: [string, MailTemplate, Prepare][] = [
  [
    'a new confirmation link',
    'confirm_email',
    async (p) => {
      await server.store.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', p.user.id).execute()
      return calling(() => p.call(security.resendVerification))
    },
  ],
  [
    'a new address, to that address',
    'confirm_email',
    async (p) => ({ ...calling(() => p.call(account.updateAccount, { email: newAddress(p) })), to: newAddress(p) }),
  ],
  [
    'the address entered for another account',
    'email_in_use',
    async ({ email }) => {
      const other = await registerConfirmedUser(server)
      return calling(() => other.call(account.updateAccount, { email }))
    },
  ],
  [
    'a confirmed new address, to the old one',
    'email_changed',
    async (p) => {
      await moving(p)
      const token = await mailedToken(server, newAddress(p))
      return calling(() => p.call(security.verifyEmail, { token }))
    },
  ],
  [
    'a forgotten password',
    'reset_password',
    async (p) => asking(() => p.call(signIn.forgotPassword, { email: p.email })),
  ],
  [
    'a new password',
    'password_changed',
    async (p) =>
      calling(() => p.call(security.changePassword, { current_password: p.password, new_password: NEW_PASSWORD })),
  ],
  [
    'a reset password',
    'password_changed',
    async (p) => {
      good(await p.call(signIn.forgotPassword, { email: p.email }))
      const token = await mailedToken(server, p.email)
      return calling(() => p.call(signIn.resetPassword, { token, new_password: NEW_PASSWORD }))
    },
  ],
  [
    'two-factor authentication turned on',
    'otp_on',
    async (p) => {
      const { secret } = good(await p.call(security.enableOtp))
      return calling(() => p.call(security.confirmOtp, { otp_token: phone(server, secret).codeAt(0) }))
    },
  ],
  [
    'two-factor authentication turned off',
    'otp_off',
    async (p) => {
      const { codes } = await withSecondFactor(server, p)
      return calling(() => p.call(security.disableOtp, { recovery_code: codes[0] }))
    },
  ],
  [
    'the fifth wrong code',
    'otp_failed',
    async (p) => {
      await withSecondFactor(server, p)
      const wrong = () => p.call(security.disableOtp, { recovery_code: 'xxxx-xxxx-xxxx-xxxx' })
      for (let i = 0; i < 4; i += 1) await wrong()
      return { act: wrong }
    },
  ],
  [
    'new recovery codes',
    'recovery_codes_renewed',
    async (p) => {
      await withSecondFactor(server, p)
      return calling(() => p.call(security.renewRecoveryCodes))
    },
  ],
  ['an added passkey', 'passkey_added', async (p) => calling(() => addPasskey(p))],
  [
    'a removed passkey',
    'passkey_removed',
    async (p) => {
      const { id } = good(await addPasskey(p))
      return calling(() => p.call(security.removePasskey, { id }))
    },
  ],
  [
    'the removal of second factor and passkeys by an operator, in 24 hours',
    'factor_reset',
    async (p) => {
      await withSecondFactor(server, p)
      return { act: () => resetFactorsOf(p, false) }
    },
  ],
  [
    'the removal of second factor and passkeys by an operator, at once',
    'factors_reset',
    async (p) => {
      await withSecondFactor(server, p)
      return { act: () => resetFactorsOf(p, true) }
    },
  ],
  [
    'the removal of second factor and passkeys of an account without a password, at once',
    'new_passkey',
    async (p) => {
      await withSecondFactor(server, p)
      await server.store.db.updateTable('users').set({ password_hash: null }).where('id', '=', p.user.id).execute()
      return { act: () => resetFactorsOf(p, true) }
    },
  ],
  [
    'an account that an operator creates, to its person',
    'account_invitation',
    async (p) => {
      const email = `invited-${p.email}`
      // The account has the language of the operator.
      const locale = (await findUser(server.store.read, p.user.id))?.language.slice(2, 7) as Locale
      const create = (tx: TransactionDeps) => createUser(tx, { ...HELPER, locale }, { email, send_invitation: true })
      return { act: () => server.deps.transaction(create), to: email }
    },
  ],
  [
    'a deletion that an operator requests',
    'deletion_by_operator',
    async ({ user: { id } }) => ({ act: () => server.deps.transaction((tx) => deleteUser(tx, HELPER, { id })) }),
  ],
  [
    'a deletion that an operator cancels',
    'restored_by_operator',
    async (p) => {
      good(await p.call(privacy.deleteAccount, {}))
      await server.outbox()
      const { id } = p.user
      return { act: () => server.deps.transaction((tx) => restoreUser(tx, HELPER, { id })) }
    },
  ],
  ['a sign-in from an unknown device', 'new_device', async (p) => ({ act: () => signInElsewhere(p) })],
  [
    'a sign-in approved with a QR code',
    'qr_sign_in',
    async (p) => ({
      async act() {
        const screen = server.browser()
        const { code, match } = good(await screen.call(signIn.createQrCode))
        good(await p.call(signIn.answerQrCode, { code, approve: true, match }))
        good(await screen.call(signIn.getQrCode, { code }))
      },
    }),
  ],
  [
    'an invitation, to the invited address',
    'invitation',
    async (p) => {
      const inviter = await registerConfirmedUser(server)
      await createOrganization(server, inviter)
      return calling(() => inviter.call(members.inviteMember, { email: p.email }))
    },
  ],
  [
    'a request of an app without a browser',
    'app_request',
    async (p) => {
      const developer = await registerConfirmedUser(server)
      const app = await (await createOrganization(server, developer)).app()
      const { client_id: id } = app
      good(await developer.call(clients.updateAdvanced, { id, backchannel_token_delivery_mode: 'poll' }))
      await allow(p, app)
      return asking(async () => {
        const form = { scope: SCOPE, login_hint: p.email }
        return {
          ok: (await post(server, app, '/backchannel_authentication', form)).statusCode === 200,
        } as Answer<unknown>
      })
    },
  ],
  [
    'an organization that an operator approves',
    'organization_approved',
    async (p) => {
      const id = await founded(p, 'pending')
      return {
        act: () => server.deps.transaction((tx) => updateAdminOrganization(tx, COMMAND, { id, approved: true })),
      }
    },
  ],
  [
    'an organization that an operator rejects',
    'organization_rejected',
    async (p) => {
      const id = await founded(p, null)
      return {
        act: () => server.deps.transaction((tx) => updateAdminOrganization(tx, COMMAND, { id, approved: false })),
      }
    },
  ],
  [
    'an app that an operator approves',
    'app_approved',
    async (p) => {
      const id = await createdApp(p)
      await server.deps.transaction((tx) => updateAdminClient(tx, COMMAND, { id, approved: false }))
      await server.outbox()
      return { act: () => server.deps.transaction((tx) => updateAdminClient(tx, COMMAND, { id, approved: true })) }
    },
  ],
  [
    'an app that an operator rejects',
    'app_rejected',
    async (p) => {
      const id = await createdApp(p)
      return { act: () => server.deps.transaction((tx) => updateAdminClient(tx, COMMAND, { id, approved: false })) }
    },
  ],
  [
    'a test by an operator',
    'test',
    async (p) => {
      await withSecondFactor(server, p)
      await grantRole(server, p, 'admin')
      return calling(() => p.call(system.sendTestMail))
    },
  ],
  ['an archive', 'data_ready', async (p) => asking(() => p.call(privacy.requestData, {}))],
  ['a requested deletion', 'deletion_begun', async (p) => calling(() => p.call(privacy.deleteAccount, {}))],
  [
    'a sign-in that cancels the deletion',
    'deletion_undone',
    async (p) => {
      good(await p.call(privacy.deleteAccount, {}))
      return calling(() => p.call(signIn.login, { username: p.email, password: p.password }))
    },
  ],
]

/** A user whose account has another language than the browser. */
async function userWithLanguage(locale: Locale): Promise<RegisteredUser> {
  const person = await registerConfirmedUser(server, { language: locale === 'en-US' ? 'hr-HR' : 'en-US' })
  good(await person.call(account.updateAccount, { language: [locale] }))
  return person
}

/** Recipient and subject of each mail sent during `work`. */
async function sentBy(work: () => Promise<unknown>): Promise<string[][]> {
  const before = (await server.outbox()).length
  await work()
  return (await server.outbox()).slice(before).map(({ to, subject }) => [to, subject])
}

/** A condition that does not hold. */
const NOBODY = verifiedUserGuard({
  id: 'nobody',
  password_updated_at: null,
  token_generation: 0,
  session_generation: null,
  email: '',
})

/**
 * Throws before the commit of each transaction that queued such a mail; resolves with the number of failures. Units write nothing, so that
 * their effect is tested in a transaction.
 */
async function withoutCommit(template: MailTemplate, work: () => Promise<unknown>): Promise<number> {
  let failures = 0
  const whole = server.store.transaction
  const failing = vi.spyOn(server.store, 'transaction').mockImplementation(
    (inner) =>
      whole.call(server.store, async (tx) => {
        const done = await inner(tx)
        const mails = await waitingMails({ db: tx.db, encryption: server.deps.encryption })
        if (!mails.some((mail) => mail.template === template)) return done
        failures += 1
        throw new Error('simulated failure before the commit')
      }) as never,
  )
  const { together } = server.deps
  server.deps.together = (guarded, events) => together({ ...guarded, guards: [...guarded.guards, NOBODY] }, events)
  await work().catch(() => undefined)
  server.deps.together = together
  failing.mockRestore()
  return failures
}

describe('mails are queued in the transaction of their event, in the language of the account', () => {
  test.each(
    MAILS.flatMap(([what, template, prepare]) => LOCALES.map((locale) => ({ what, template, prepare, locale }))),
  )('$what: $template, $locale', async ({ template, prepare, locale }) => {
    const person = await userWithLanguage(locale)
    const { act, again = act, to = person.email } = await prepare(person)
    let failures = 0
    const lost = await sentBy(async () => {
      failures = await withoutCommit(template, act)
    })
    expect(lost).toEqual([])
    expect(failures).toBeGreaterThan(0)
    expect(await sentBy(again)).toEqual([[to, translator(locale)(`mail.${template}.subject`)]])
  })

  test('says when, with which device and where a change was made', () => {
    const facts = { at: '2026-11-22T14:05:00.000Z', device: 'Firefox, Linux', place: 'Ljubljana, Slovenia' }
    const values = { name: 'Ana', link: 'https://id.example.com/security', ...facts }
    const mail = { to: 'ana@example.com', locale: 'en-US', template: 'passkey_added', values } as const
    const { text, html } = renderMail(mail, 'https://id.example.com')
    expect(text).toContain(
      'When: November 22, 2026, 14:05 UTC\nDevice: Firefox, Linux\nLocation: Ljubljana, Slovenia\n',
    )
    expect(html).toContain(
      'When: November 22, 2026, 14:05 UTC<br>Device: Firefox, Linux<br>Location: Ljubljana, Slovenia',
    )
    const elsewhere = renderMail({ ...mail, values: { ...values, place: 'none' } }, 'https://id.example.com').text
    expect(elsewhere).not.toContain('Location')
  })

  test('every template is covered', () => {
    const covered = new Set<string>(MAILS.map(([, template]) => template))
    const all = Object.keys(samples(server.config.url, server.clock.now()))
    expect(all.filter((template) => !covered.has(template))).toEqual([])
  })
})
