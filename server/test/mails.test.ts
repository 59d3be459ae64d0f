import { type Answer, account, auth, LOCALES, type Locale, members, privacy, qr, security } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MailTemplate, waitingMails } from '../src/ports/mail/mail.ts'
import { samples } from '../src/ports/mail/templates/samples.ts'
import { authenticator } from './authenticator.ts'
import { type House, openHouse } from './house.ts'
import { elsewhere, mailedToken, type Newcomer, newcomer } from './newcomer.ts'
import { openOrganisation } from './organisation.ts'
import { good, phone, withSecondFactor } from './second-factor.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

/** What brings a mail about, and once more after it failed; `to` when it is not the account's address. */
type Trigger = { act: () => Promise<unknown>; again?: () => Promise<unknown>; to?: string }
type Prepare = (person: Newcomer) => Promise<Trigger>

const NEW_PASSWORD = 'most-preko-soce-4'
const signIn = ({ email, password }: Newcomer) => elsewhere(house, { email, password })
const newAddress = (person: Newcomer) => person.email.replace('newcomer', 'moved')
const moving = async (person: Newcomer) => good(await person.call(account.updateAccount, { email: newAddress(person) }))
const calling = (call: () => Promise<Answer<unknown>>): Trigger => ({ act: async () => good(await call()) })
/** The mail is written by a job, which tries again after a while by itself. */
const asking = (call: () => Promise<Answer<unknown>>): Trigger => ({
  act: async () => {
    good(await call())
    await house.outbox()
  },
  again: async () => house.clock.advance(60),
})
const addPasskey = async (person: Newcomer) => {
  const response = authenticator().create(good(await person.call(security.passkeyOptions)))
  return await person.call(security.addPasskey, { name: 'Telefon', response })
}

/** What happens → the mail that tells of it. */
const MAILS: [string, MailTemplate, Prepare][] = [
  ['asking for the link anew', 'confirm_email', async (p) => calling(() => p.call(account.resendVerification))],
  [
    'another address, to the new one',
    'confirm_email',
    async (p) => ({ ...calling(() => p.call(account.updateAccount, { email: newAddress(p) })), to: newAddress(p) }),
  ],
  [
    'another address, confirmed, to the old one',
    'email_changed',
    async (p) => {
      await moving(p)
      const token = await mailedToken(house, newAddress(p))
      return calling(() => p.call(account.verifyEmail, { token }))
    },
  ],
  [
    'a forgotten password',
    'reset_password',
    async (p) => asking(() => p.call(auth.forgotPassword, { email: p.email })),
  ],
  [
    'a new password',
    'password_changed',
    async (p) =>
      calling(() => p.call(account.setPassword, { current_password: p.password, new_password: NEW_PASSWORD })),
  ],
  [
    'a password by mailed link',
    'password_changed',
    async (p) => {
      good(await p.call(auth.forgotPassword, { email: p.email }))
      const token = await mailedToken(house, p.email)
      return calling(() => p.call(auth.resetPassword, { token, new_password: NEW_PASSWORD }))
    },
  ],
  [
    'two-factor on',
    'otp_on',
    async (p) => {
      const { secret } = good(await p.call(security.enableOtp))
      return calling(() => p.call(security.confirmOtp, { otp_token: phone(house, secret).codeAt(0) }))
    },
  ],
  [
    'two-factor off',
    'otp_off',
    async (p) => {
      const { codes } = await withSecondFactor(house, p)
      return calling(() => p.call(security.disableOtp, { recovery_code: codes[0] }))
    },
  ],
  [
    'the fifth wrong code',
    'otp_failed',
    async (p) => {
      await withSecondFactor(house, p)
      const wrong = () => p.call(security.disableOtp, { recovery_code: 'xxxx-xxxx-xxxx-xxxx' })
      for (let i = 0; i < 4; i += 1) await wrong()
      return { act: wrong }
    },
  ],
  [
    'new recovery codes',
    'recovery_codes_renewed',
    async (p) => {
      await withSecondFactor(house, p)
      return calling(() => p.call(security.renewRecoveryCodes))
    },
  ],
  ['a passkey more', 'passkey_added', async (p) => calling(() => addPasskey(p))],
  [
    'a passkey less',
    'passkey_removed',
    async (p) => {
      const { id } = good(await addPasskey(p))
      return calling(() => p.call(security.removePasskey, { id }))
    },
  ],
  ['an unknown device', 'new_device', async (p) => ({ act: () => signIn(p) })],
  [
    'a sign-in that a phone approved',
    'qr_sign_in',
    async (p) => ({
      async act() {
        const screen = house.visitor()
        const { code, match } = good(await screen.call(qr.drawQrCode))
        good(await p.call(qr.answerQrCode, { code, approve: true, match }))
        good(await screen.call(qr.readQrCode, { code }))
      },
    }),
  ],
  [
    'an invitation, to whoever is invited',
    'invitation',
    async (p) => {
      const inviter = await newcomer(house)
      const email_verified_at = house.clock.now().toISOString()
      await house.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', inviter.user.id).execute()
      await openOrganisation(house, inviter)
      return calling(() => inviter.call(members.inviteMember, { email: p.email }))
    },
  ],
  ['an archive', 'data_ready', async (p) => asking(() => p.call(privacy.requestData, {}))],
  ['deleting the account', 'deletion_begun', async (p) => calling(() => p.call(privacy.deleteAccount, {}))],
  [
    'a sign-in that undoes it',
    'deletion_undone',
    async (p) => {
      good(await p.call(privacy.deleteAccount, {}))
      return calling(() => p.call(auth.login, { username: p.email, password: p.password }))
    },
  ],
]

/** Somebody whose account speaks another language than their browser. */
async function speaking(locale: Locale): Promise<Newcomer> {
  const person = await newcomer(house, { language: locale === 'en-US' ? 'hr-HR' : 'en-US' })
  good(await person.call(account.updateAccount, { language: [locale] }))
  return person
}

/** The mails that leave while something is done: to whom, and what they are about. */
async function sentBy(work: () => Promise<unknown>): Promise<string[][]> {
  const before = (await house.outbox()).length
  await work()
  return (await house.outbox()).slice(before).map(({ to, subject }) => [to, subject])
}

/** The power fails right before the commit of what has written such a mail; answers how often. */
async function withoutCommit(template: MailTemplate, work: () => Promise<unknown>): Promise<number> {
  let failures = 0
  const whole = house.store.transaction
  const failing = vi.spyOn(house.store, 'transaction').mockImplementation(
    (inner) =>
      whole.call(house.store, async (tx) => {
        const done = await inner(tx)
        const mails = await waitingMails({ db: tx.db, sealing: house.deps.sealing })
        if (!mails.some((mail) => mail.template === template)) return done
        failures += 1
        throw new Error('the power fails')
      }) as never,
  )
  await work().catch(() => undefined)
  failing.mockRestore()
  return failures
}

describe('every mail leaves with what it tells about, in the language of the account, and never without', () => {
  test.each(
    MAILS.flatMap(([what, template, prepare]) => LOCALES.map((locale) => ({ what, template, prepare, locale }))),
  )('$what: $template, $locale', async ({ template, prepare, locale }) => {
    const person = await speaking(locale)
    const { act, again = act, to = person.email } = await prepare(person)
    let failures = 0
    const lost = await sentBy(async () => {
      failures = await withoutCommit(template, act)
    })
    expect(lost).toEqual([])
    expect(failures).toBeGreaterThan(0)
    expect(await sentBy(again)).toEqual([[to, translator(locale)(`mail.${template}.subject`)]])
  })

  test('there is none that nothing brings about', () => {
    const brought = new Set<string>(MAILS.map(([, template]) => template))
    const all = Object.keys(samples(house.config.url, house.clock.now()))
    expect(all.filter((template) => !brought.has(template))).toEqual([])
  })
})
