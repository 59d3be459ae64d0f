import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCALES } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/open-store.ts'
import { testClock } from '../clock.ts'
import { startJobs } from '../jobs/runner.ts'
import { sealing } from '../sealing.ts'
import { type Mail, type Mailer, mailJob, queueMail, waitingMails } from './mail.ts'
import { memoryMailer } from './memory.ts'
import { outboxMailer } from './outbox.ts'
import { renderMail } from './templates/render.ts'

const URL = 'https://accounts.example.com'
const LINK = 'https://accounts.example.com/confirm-email/s3cret-t0ken'
const MAIL: Mail = {
  to: 'ana@example.com',
  locale: 'sl-SI',
  template: 'confirm_email',
  values: { name: 'Ana <b>', link: LINK },
}

async function openPostOffice(mailer: Mailer) {
  const { store } = await openStore()
  const clock = testClock()
  const seal = sealing('a secret for tests, of a good length, and of nobody')
  const errors: object[] = []
  const runner = startJobs({
    store,
    clock,
    handlers: { mail: mailJob({ mailer, sealing: seal, clock, url: URL }) },
    log: { warn: () => {}, error: (about) => errors.push(about) },
    poll: false,
  })
  onTestFinished(() => runner.stop())
  const desk = { db: store.db, clock, signals: store.signals, sealing: seal }
  return { store, clock, desk, runner, errors }
}

test('a mail is sent once, in the language of the account, with its link', async () => {
  const mailer = memoryMailer()
  const { desk, runner } = await openPostOffice(mailer)
  const id = await queueMail(desk, MAIL)
  expect(await waitingMails(desk)).toEqual([MAIL])
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
  expect(await waitingMails(desk)).toEqual([])
})

test('neither a waiting nor a sent mail shows its link to a reader of the database', async () => {
  const { store, desk, runner } = await openPostOffice(memoryMailer())
  await queueMail(desk, MAIL)
  const dump = async () => JSON.stringify(await store.read.selectFrom('jobs').selectAll().execute())
  expect(await dump()).not.toMatch(/s3cret|ana@/)
  await runner.runDue()
  expect(await dump()).not.toMatch(/s3cret|ana@|sealed/)
})

test('an expired link is not mailed any more', async () => {
  const mailer = memoryMailer()
  const { desk, clock, runner, errors } = await openPostOffice(mailer)
  await queueMail(desk, { ...MAIL, expires_at: new Date(clock.now().getTime() + 1000).toISOString() })
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
])('no header and no second address gets in through %j', async (to) => {
  const mailer = memoryMailer()
  const { desk, runner, errors } = await openPostOffice(mailer)
  await queueMail(desk, { ...MAIL, to })
  await runner.runDue()
  expect(mailer.sent).toEqual([])
  expect(errors).toHaveLength(1)
})

test.each(LOCALES)('every mail in %s says everything, and shows what a person typed as text', (locale) => {
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

test('without a mail server a mail is a file that is whole, private and printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-outbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const printed: string[] = []
  const mailer = outboxMailer({ folder, from: 'Vrata <no-reply@example.com>', print: (line) => printed.push(line) })
  const { desk, runner } = await openPostOffice(mailer)
  await queueMail(desk, MAIL)
  await runner.runDue()
  expect(printed.join()).toContain(LINK)
  const [file = ''] = readdirSync(folder)
  expect(file).toMatch(/\.eml$/)
  const eml = readFileSync(join(folder, file), 'utf8')
  expect(eml).toMatch(/^To: ana@example\.com\r$/m)
  expect(eml).toMatch(/^Message-ID: <[\w-]+@accounts\.example\.com>\r$/m)
  expect(eml).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})
