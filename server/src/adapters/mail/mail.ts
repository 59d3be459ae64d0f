import type { ReadDb, Transact } from '../../db/open.ts'
import { fromJson, toJson } from '../../db/values.ts'
import type { Encryption } from '../../lib/encryption.ts'
import { type Id, newId } from '../../lib/ids.ts'
import { type Meter, noMeter } from '../../lib/meter.ts'
import { enqueue, type JobQueueDeps, listKeptJobs, listWaitingJobs, NO_PAYLOAD, updatePayload } from '../jobs/jobs.ts'
import { jobStatement } from '../jobs/own-jobs.ts'
import { GiveUp, type JobHandler } from '../jobs/runner.ts'
import type { Mail, OutgoingMail } from './templates/mail-types.ts'
import { type MailBranding, renderMail } from './templates/render.ts'

export type * from './templates/mail-types.ts'

/** Sends mails: over SMTP, into a folder, or into memory in tests. Throws `GiveUp` when a retry cannot succeed. */
export interface Mailer {
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Kind of the jobs that send a mail. */
export const MAIL_JOB = 'mail'

/**
 * Queues a mail in the caller's transaction; it is sent after the commit. The queued mail is encrypted, because its link
 * gives access to an account.
 */
export async function queueMail(deps: JobQueueDeps & { encryption: Encryption }, mail: Mail): Promise<Id> {
  const id = newId(deps.clock)
  return enqueue(deps, MAIL_JOB, sealed(deps, mail, id), { id })
}

/** `queueMail` as a statement of `GuardedWrites`. After the commit the caller calls `committed`. */
export function mailStatement(
  deps: Parameters<typeof jobStatement>[0] & { encryption: Encryption },
  mail: Mail,
): ReturnType<typeof jobStatement> {
  const id = newId(deps.clock)
  const decrypted: DecryptedMail = { mail }
  return jobStatement(deps, MAIL_JOB, sealed(deps, mail, id), { id, decrypted })
}

/** Passed to the handler instead of the encrypted payload, for a mail that this process has queued and sends itself. */
type DecryptedMail = { mail: Mail }

function sealed({ encryption }: { encryption: Encryption }, mail: Mail, id: Id): { sealed: string } {
  return { sealed: encryption.encrypt(toJson(mail), sealingContext(id)) }
}

/** Queued mails, oldest first; for tests and operator commands. */
export async function waitingMails(deps: { db: ReadDb; encryption: Encryption }): Promise<Mail[]> {
  const jobs = await listWaitingJobs(deps.db, MAIL_JOB)
  return jobs.map((job) => decryptedMail(fromJson(job.payload), job.id, deps.encryption))
}

/** Encrypts the waiting and failed mails with the current secret; returns how many were encrypted with another one. */
export async function resealMails(app: { transaction: Transact; encryption: Encryption }): Promise<number> {
  let resealed = 0
  let last: string | undefined = ''
  while (last !== undefined) {
    const after: string = last
    last = await app.transaction(async ({ db }) => {
      const mails = await listKeptJobs(db, MAIL_JOB, after, RESEALED_AT_ONCE)
      for (const { id, payload } of mails) {
        const sealed = app.encryption.reseal(fromJson<{ sealed: string }>(payload).sealed, sealingContext(id))
        if (sealed === undefined) continue
        await updatePayload(db, id, { sealed })
        resealed += 1
      }
      return mails.at(-1)?.id
    })
  }
  return resealed
}

/** Mails of one transaction; few, because SQLite has one writer, and a transaction has ten seconds. */
const RESEALED_AT_ONCE = 200

/**
 * Handler of mail jobs. `url` is the public URL; its host is the domain of the Message-ID. `branding`: of the moment when the mail
 * is sent.
 */
export function mailJob(deps: {
  mailer: Mailer
  encryption: Encryption
  clock: JobQueueDeps['clock']
  url: string
  meter?: Pick<Meter, 'mail'>
  branding?: { now(): MailBranding }
}): JobHandler {
  const { meter = noMeter } = deps
  const { hostname } = new URL(deps.url)
  return async (payload, job, signal) => {
    const received = payload as DecryptedMail | { sealed: string }
    const mail = 'mail' in received ? received.mail : decryptedMail(received, job.id, deps.encryption)
    if (mail.expires_at && new Date(mail.expires_at) <= deps.clock.now()) throw new GiveUp('its link has expired')
    const rendered = {
      ...renderMail(mail, deps.url, deps.branding?.now()),
      message_id: `<${job.id}@${hostname}>`,
      to: oneAddress(mail.to),
    }
    try {
      await deps.mailer.send(rendered, signal)
    } catch (error) {
      meter.mail(mail.template, 'failed')
      throw error
    }
    meter.mail(mail.template, 'sent')
  }
}

/** The mail of a job; undefined once its payload is deleted. */
export function mailOf({ id, payload }: { id: string; payload: string }, encryption: Encryption): Mail | undefined {
  return payload === NO_PAYLOAD ? undefined : decryptedMail(fromJson(payload), id, encryption)
}

function decryptedMail(payload: unknown, id: string, encryption: Encryption): Mail {
  return fromJson(encryption.decrypt((payload as { sealed: string }).sealed, sealingContext(id)))
}

function sealingContext(id: string): string {
  return `mail ${id}`
}

/** Rejects an address with line ends, spaces or a second address, which could inject headers (security §1.3.11). */
function oneAddress(address: string): string {
  if (!/^[^\s<>,;:"()[\]\\]+@[^\s<>,;:"()[\]\\@]+$/.test(address))
    throw new GiveUp('its address is not one plain address')
  return address
}
