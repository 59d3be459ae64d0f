import type { Locale } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson, toJson } from '../../db/values.ts'
import { type Id, newId } from '../ids.ts'
import { enqueue, type JobDesk, waiting } from '../jobs/jobs.ts'
import { GiveUp, type JobHandler } from '../jobs/runner.ts'
import type { Sealing } from '../sealing.ts'
import { renderMail } from './templates/render.ts'

/** What each mail says; the words stand in the phrases. Times are UTC ISO text. */
export interface MailValues {
  /** To the address that is to be confirmed. */
  confirm_email: { name: string; link: string }
  reset_password: { name: string; link: string }
  /** `link` leads to where a person who did not do this takes the account back. */
  password_changed: { name: string; link: string; when: string }
  /** To the old address; `new_email` is masked by the sender. */
  email_changed: { name: string; link: string; new_email: string }
  /** `device` as people say it: "Firefox, Linux"; `place` is `none` when it is not known. */
  new_device: { name: string; link: string; when: string; device: string; place: string }
  /** The same of a device that a phone of the person has signed in with a QR code. */
  qr_sign_in: { name: string; link: string; when: string; device: string; place: string }
  otp_on: { name: string; link: string; when: string }
  otp_off: { name: string; link: string; when: string }
  otp_failed: { name: string; link: string; when: string }
  recovery_codes_renewed: { name: string; link: string; when: string }
  passkey_added: { name: string; link: string; when: string }
  passkey_removed: { name: string; link: string; when: string }
  /** `when` its days are over. */
  data_ready: { name: string; link: string; when: string }
  /** `when` it is carried out. */
  deletion_begun: { name: string; link: string; when: string }
  deletion_undone: { name: string; link: string }
  /** `when` it ends. To whoever holds the address, an account or not. */
  invitation: { name: string; link: string; when: string; inviter: string; organization: string }
}
export type MailTemplate = keyof MailValues

export type Mail = {
  [T in MailTemplate]: {
    to: string
    /** The account's first language. */
    locale: Locale
    template: T
    values: MailValues[T]
    /** When its link stops working; a mail that could not leave by then is not sent any more. */
    expires_at?: string
  }
}[MailTemplate]

/** A rendered mail on its way out. */
export interface Letter {
  /** The same at every try, so that a copy can be recognised. */
  message_id: string
  to: string
  subject: string
  text: string
  html: string
  /** The one thing to open in it. */
  link: string
}

/** The way out of the house: SMTP, a folder, or a test's memory. Throws `GiveUp` when trying again would not help. */
export interface Mailer {
  send(letter: Letter, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The kind of job that is a mail. */
export const MAIL_JOB = 'mail'

/**
 * Writes a mail into the caller's transaction: it leaves once, and only if, that has committed. It waits encrypted,
 * because its link opens an account.
 */
export async function queueMail(desk: JobDesk & { sealing: Sealing }, mail: Mail): Promise<Id> {
  const id = newId(desk.clock)
  return enqueue(desk, MAIL_JOB, { sealed: desk.sealing.seal(toJson(mail), sealingContext(id)) }, id)
}

/** The mails that still wait, in the order in which they were written; for tests and for tools of the operator. */
export async function waitingMails(desk: { db: ReadDb; sealing: Sealing }): Promise<Mail[]> {
  const jobs = await waiting(desk.db, MAIL_JOB)
  return jobs.map((job) => opened(fromJson(job.payload), job.id, desk.sealing))
}

/** What the job runner does with a mail. `url` is the public URL: it names the sender and the Message-ID's domain. */
export function mailJob(outside: {
  mailer: Mailer
  sealing: Sealing
  clock: JobDesk['clock']
  url: string
}): JobHandler {
  const { hostname } = new URL(outside.url)
  return async (payload, job, signal) => {
    const mail = opened(payload, job.id, outside.sealing)
    if (mail.expires_at && new Date(mail.expires_at) <= outside.clock.now()) throw new GiveUp('its link has expired')
    const letter = { ...renderMail(mail, outside.url), message_id: `<${job.id}@${hostname}>`, to: oneAddress(mail.to) }
    await outside.mailer.send(letter, signal)
  }
}

function opened(payload: unknown, id: string, sealing: Sealing): Mail {
  return fromJson(sealing.open((payload as { sealed: string }).sealed, sealingContext(id)))
}

function sealingContext(id: string): string {
  return `mail ${id}`
}

/** An address that holds a line end, a space or a second address would write its own headers (security.md 1.3.11). */
function oneAddress(address: string): string {
  if (!/^[^\s<>,;:"()[\]\\]+@[^\s<>,;:"()[\]\\@]+$/.test(address))
    throw new GiveUp('its address is not one plain address')
  return address
}
