import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accentPairs, LOCALES } from '@vrata/contract'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import type { Transact } from '../../db/open.ts'
import { testClock } from '../../lib/clock.ts'
import { createEncryption } from '../../lib/encryption.ts'
import { startJobs } from '../jobs/runner.ts'
import { type Mail, type Mailer, mailJob, type OutgoingMail, queueMail, resealMails, waitingMails } from './mail.ts'
import { mailMessage } from './mail-message.ts'
import { memoryMailer } from './memory.ts'
import { outboxMailer } from './outbox.ts'
import { type MailBranding, renderMail } from './templates/render.ts'
import { samples } from './templates/samples.ts'

const URL = 'https://accounts.example.com'
const LINK = 'https://accounts.example.com/confirm-email/s3cret-t0ken'
const MAIL: Mail = {
  to: 'ana@example.com',
  locale: 'sl-SI',
  template: 'confirm_email',
  values: { name: 'Ana <b>', link: LINK },
}

async function openMailQueue(mailer: Mailer) {
  const { store } = await openStore()
  const clock = testClock()
  const encryption = createEncryption('a secret for tests, of a good length, and of nobody')
  const errors: object[] = []
  const runner = startJobs({
    store,
    clock,
    handlers: { mail: mailJob({ mailer, encryption, clock, url: URL }) },
    log: { warn: () => {}, error: (about) => errors.push(about) },
    poll: false,
  })
  onTestFinished(() => runner.stop())
  const deps = { db: store.db, clock, signals: store.signals, encryption }
  return { store, clock, deps, runner, errors }
}

test('sends a mail once, in the language of the account, with its link', async () => {
  const mailer = memoryMailer()
  const { deps, runner } = await openMailQueue(mailer)
  const id = await queueMail(deps, MAIL)
  expect(await waitingMails(deps)).toEqual([MAIL])
  await runner.runDue()
  await runner.runDue()
  expect(mailer.sent).toEqual([
    expect.objectContaining({
      to: 'ana@example.com',
      subject: 'Potrdite svoj e-naslov',
      message_id: `<${id}@accounts.example.com>`,
      link: LINK,
    }),
  ])
  expect(await waitingMails(deps)).toEqual([])
})

test('the database contains neither address nor link of a queued or sent mail in plain text', async () => {
  const { store, deps, runner } = await openMailQueue(memoryMailer())
  await queueMail(deps, MAIL)
  const dump = async () => JSON.stringify(await store.read.selectFrom('jobs').selectAll().execute())
  expect(await dump()).not.toMatch(/s3cret|ana@/)
  await runner.runDue()
  expect(await dump()).not.toMatch(/s3cret|ana@|sealed/)
})

test('does not send a mail whose link has expired', async () => {
  const mailer = memoryMailer()
  const { deps, clock, runner, errors } = await openMailQueue(mailer)
  await queueMail(deps, { ...MAIL, expires_at: new Date(clock.now().getTime() + 1000).toISOString() })
  clock.advance(2)
  await runner.runDue()
  expect(mailer.sent).toEqual([])
  expect(errors).toEqual([expect.objectContaining({ error: 'its link has expired' })])
})

test.each([
  'ana@example.com\r\nBcc: eve@example.com',
  'ana@example.com, eve@example.com',
  'Ana <ana@example.com>',
  'ana',
])('rejects the address %j, which could inject a header or a second recipient', async (to) => {
  const mailer = memoryMailer()
  const { deps, runner, errors } = await openMailQueue(mailer)
  await queueMail(deps, { ...MAIL, to })
  await runner.runDue()
  expect(mailer.sent).toEqual([])
  expect(errors).toHaveLength(1)
})

// Before other mails: the formats of dates are kept.
test('a mail names days in UTC, in any time zone of the server', () => {
  const { DateTimeFormat } = Intl
  class InHonolulu extends DateTimeFormat {
    constructor(locale?: string, options?: Intl.DateTimeFormatOptions) {
      super(locale, { ...options, timeZone: options?.timeZone ?? 'Pacific/Honolulu' })
    }
  }
  Object.assign(Intl, { DateTimeFormat: InHonolulu })
  onTestFinished(() => void Object.assign(Intl, { DateTimeFormat }))
  const values = { name: '', link: LINK, when: '2026-11-21T05:00:00.000Z' }
  const mail = renderMail({ to: 'ana@example.com', locale: 'en-US', template: 'data_ready', values }, URL)
  expect(mail.text).toContain('until November 21, 2026.')
})

test.each(LOCALES)('every mail in %s contains all its values, with user input escaped', (locale) => {
  const values = { name: 'Ana <script>', link: LINK, when: '2026-11-21T10:00:00.000Z', new_email: 'a…@example.com' }
  for (const template of ['confirm_email', 'reset_password', 'password_changed', 'email_changed'] as const) {
    const mail = renderMail({ to: 'ana@example.com', locale, template, values } as Mail, URL)
    expect(mail.text).toContain(LINK)
    expect(mail.text).toContain('Ana <script>')
    expect(mail.html).toContain(`href="${LINK}"`)
    expect(mail.html).toContain('Ana &lt;script&gt;')
    expect(mail.html).not.toMatch(/<script|<img|url\(|\{\w+\}/)
    expect(mail.subject + mail.text).not.toMatch(/\{\w+\}|mail\.\w/)
  }
})

test.each([
  ['sl-SI', 'e-naslov'],
  ['hr-HR', 'e-adresu'],
] as const)('a mail in %s breaks no line within %s', (locale, word) => {
  const values = { name: 'Ana', link: LINK }
  const { subject, text, html } = renderMail({ to: 'ana@example.com', locale, template: 'confirm_email', values }, URL)
  expect(subject).toContain(word)
  expect(text).toContain(word)
  expect(html).toContain(`<title>${subject}</title>`)
  const body = html.slice(html.indexOf('<body'))
  const whole = `<span style="white-space:nowrap">${word}`
  expect(body.split(whole).length).toBeGreaterThan(2)
  expect(body.replaceAll(whole, '')).not.toContain(word)
})

const BRANDING: MailBranding = {
  name: 'Acme {& Co}',
  accent_colors: accentPairs('#7a1fa2'),
  mail_from_name: null,
  mail_footer: { 'en-US': 'Acme Ltd\n1 <Long> Street' },
  languages: ['en-US', 'sl-SI'],
  default_language: 'sl-SI',
}

test.each(LOCALES)('every mail in %s has name, colors and footer of the installation, and not ours', (locale) => {
  for (const [template, values] of Object.entries(samples(URL, new Date()))) {
    const mail = renderMail({ to: 'ana@example.com', locale, template, values } as Mail, URL, BRANDING)
    expect(mail.subject + mail.text + mail.html, template).not.toContain('Vrata')
    expect(mail.html).toContain('>Acme {&amp; Co}</span>')
    expect(mail.html).toContain('background:#7a1fa2;color:#ffffff')
    expect(mail.html).not.toMatch(/#006867|#62d4c9/)
    expect(mail.text).toMatch(/-- \n.*Acme \{& Co\}.*/)
    // Croatian is not offered, so such a mail is in the default language, for which there is no footer.
    expect(mail.html).toContain(`<html lang="${locale === 'hr-HR' ? 'sl-SI' : locale}">`)
    expect(mail.html.includes('<br>Acme Ltd<br>1 &lt;Long&gt; Street')).toBe(locale === 'en-US')
  }
})

test('the sender has the name of the installation, or the one that is set for mails', async () => {
  const mail = { to: 'ana@example.com', message_id: '<1@example.com>', subject: '', text: '', html: '', link: LINK }
  const from = 'Vrata <no-reply@example.com>'
  const { template, values } = MAIL as Extract<Mail, { template: 'confirm_email' }>
  const rendered = (branding: MailBranding) => renderMail({ ...mail, locale: 'en-US', template, values }, URL, branding)
  const fromOf = async (branding?: MailBranding) => {
    const { raw, envelope } = await mailMessage({ ...mail, ...(branding ? rendered(branding) : {}) }, from)
    expect(envelope).toEqual({ from: 'no-reply@example.com', to: ['ana@example.com'] })
    return /^From: (.*)\r$/m.exec(raw)?.[1]
  }
  expect(await fromOf()).toBe(from)
  expect(await fromOf(BRANDING)).toBe('"Acme {& Co}" <no-reply@example.com>')
  expect(await fromOf({ ...BRANDING, mail_from_name: 'Acme Mail' })).toBe('Acme Mail <no-reply@example.com>')
})

/** The mail as nodemailer itself writes it. */
async function writtenByNodemailer(mail: OutgoingMail, from: string) {
  const transport = createTransport({ streamTransport: true, buffer: true })
  const { message_id: messageId, to, subject, text, html } = mail
  const headers = { 'Auto-Submitted': 'auto-generated' }
  return await transport.sendMail({ from, to, messageId, subject, text, html, headers })
}

/** Plain, with a long host, with letters in the host, and with letters before it. */
const ADDRESSES = [
  'ana@example.com',
  `a.n+a_@${'long-'.repeat(12)}name.example.com`,
  "o'n@pošta.example",
  'žiga@pošta.example',
]

test.each(LOCALES.flatMap((locale) => ADDRESSES.map((to) => ({ locale, to }))))(
  'a mail in $locale to $to reads like one that nodemailer has written',
  async ({ locale, to }) => {
    const from = '"Vrata – računi, d. o. o." <no-reply@example.com>'
    for (const [template, values] of Object.entries(samples(URL, new Date()))) {
      const name = 'Žiga Črtomir Љубица 🙂 with a long name that does not fit into one line of a quoted-printable text'
      const mail = { to, locale, template, values: { ...values, name } } as Mail
      const rendered = { ...renderMail(mail, URL), message_id: '<job-1@accounts.example.com>', to }
      const { raw, envelope } = await mailMessage(rendered, from)
      expect(raw.replace(to, '')).not.toMatch(/[^\t\n\r -~]/)
      expect(raw.replaceAll(/^ .*$/gm, '')).not.toMatch(/^.{77}/m)
      const nodemailers = await writtenByNodemailer(rendered, from)
      expect(envelope).toEqual(nodemailers.envelope)
      const read = async (message: string | Buffer) => {
        const { headers, date, ...parsed } = await PostalMime.parse(message)
        const own = headers.filter(({ key }) => key !== 'date' && key !== 'content-type')
        return { ...parsed, headerLines: undefined, headers: own.sort((a, b) => (a.key < b.key ? -1 : 1)) }
      }
      expect(await read(raw), template).toEqual(await read(nodemailers.message as Buffer))
    }
  },
)

test('without a mail server a mail is written to a file and its link is printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-outbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const printed: string[] = []
  const mailer = outboxMailer({ folder, from: 'Vrata <no-reply@example.com>', print: (line) => printed.push(line) })
  const { deps, runner } = await openMailQueue(mailer)
  await queueMail(deps, MAIL)
  await runner.runDue()
  expect(printed.join()).toContain(LINK)
  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/\.eml$/)
  const eml = readFileSync(join(folder, file), 'utf8')
  expect(eml).toMatch(/^To: ana@example\.com\r$/m)
  expect(eml).toMatch(/^Message-ID: <[\w-]+@accounts\.example\.com>\r$/m)
  expect(eml).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})

test('without a mail server, what an attempt has left that failed is replaced by the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-outbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const mailer = outboxMailer({ folder, from: 'Vrata <no-reply@example.com>', print: () => {} })
  const { deps, runner } = await openMailQueue(mailer)
  const id = await queueMail(deps, MAIL)
  writeFileSync(join(folder, `${id}.part`), 'To: ana@exa')
  await runner.runDue()
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.eml$/)])
})

test('mails are encrypted with a new secret in short transactions, however many there are', async () => {
  const { store, deps } = await openMailQueue(memoryMailer())
  await store.transaction(async ({ db }) => {
    for (let i = 0; i < 450; i += 1) await queueMail({ ...deps, db }, MAIL)
  })
  const secret = 'another secret for tests, which replaces the first one'
  const encryption = createEncryption(secret, () => ['a secret for tests, of a good length, and of nobody'])
  let transactions = 0
  const transaction: Transact = (work) => {
    transactions += 1
    return store.transaction(work)
  }
  expect(await resealMails({ transaction, encryption })).toBe(450)
  expect(transactions).toBeGreaterThan(2)
  expect(await waitingMails({ db: store.db, encryption: createEncryption(secret) })).toHaveLength(450)
  expect(await resealMails({ transaction, encryption })).toBe(0)
})
