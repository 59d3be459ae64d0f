import { type AnswerOf, type InputOf, paths, problem, type system } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import { findJob, type ListedJob, listUnfinishedJobs, retryJob } from '../../adapters/jobs/job-list.ts'
import { MAIL_JOB, mailOf, queueMail } from '../../adapters/mail/mail.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { findUser, localeOf } from '../account/public.ts'
import { recordAudit } from '../audit/public.ts'

type ReadDeps = Pick<AppDeps, 'db' | 'encryption'>

/** Lists the mails that wait or have failed, newest first (operators §2). */
export async function listMails(
  deps: ReadDeps,
  actor: OperatorActor,
  { limit, cursor, state }: InputOf<typeof system.listMails>,
): Promise<AnswerOf<typeof system.listMails>> {
  const jobs = await listUnfinishedJobs(deps.db, MAIL_JOB, { state, before: cursor, limit: limit + 1 })
  const page = jobs.slice(0, limit)
  const last = jobs.length > limit ? page.at(-1) : undefined
  return { data: page.map((job) => describe(deps, actor, job)), next_cursor: last?.id ?? null }
}

/** Returns the state of one mail. Throws `not_found`. */
export async function getMail(deps: ReadDeps, actor: OperatorActor, { id }: InputOf<typeof system.getMail>) {
  return describe(deps, actor, await requireJob(deps, id))
}

/** Queues a test mail to the address of the operator. */
export async function sendTestMail(deps: TransactionDeps, actor: OperatorActor): Promise<system.MailInfo> {
  const user = await findUser(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  const values = { name: user.first_name, link: `${deps.config.url}${paths.admin}` }
  const id = await queueMail(deps, { to: user.email, locale: localeOf(user), template: 'test', values })
  await recordAudit(deps, actor, { type: 'mail.tested', subject: { kind: 'mail', id } })
  return describe(deps, actor, await requireJob(deps, id))
}

/** Sends a failed mail again, or a waiting one at once. Throws `mail_expired` when there is nothing left to send. */
export async function retryMail(
  deps: TransactionDeps,
  actor: OperatorActor,
  { id }: InputOf<typeof system.retryMail>,
): Promise<system.MailInfo> {
  const job = await requireJob(deps, id)
  if (job.done_at !== null) throw problem('not_found')
  const mail = mailOf(job, deps.encryption)
  if (!mail || (mail.expires_at && new Date(mail.expires_at) <= deps.clock.now())) throw problem('mail_expired')
  // A mail that is being sent at this moment needs no retry.
  if (await retryJob(deps, MAIL_JOB, id))
    await recordAudit(deps, actor, { type: 'mail.retried', subject: { kind: 'mail', id } })
  return describe(deps, actor, await requireJob(deps, id))
}

async function requireJob(deps: Pick<AppDeps, 'db'>, id: string): Promise<ListedJob> {
  const job = await findJob(deps.db, MAIL_JOB, id)
  if (!job) throw problem('not_found')
  return job
}

function describe({ encryption }: ReadDeps, { role, locale }: OperatorActor, job: ListedJob): system.MailInfo {
  const mail = job.done_at === null ? mailOf(job, encryption) : undefined
  const { id, attempts, created_at, failed_at } = job
  const state = job.done_at !== null ? 'sent' : failed_at === null ? 'waiting' : 'failed'
  return {
    id,
    state,
    subject: mail ? translator(locale)(`mail.${mail.template}.subject`) : null,
    to: mail ? (role === 'admin' ? mail.to : `*${mail.to.slice(mail.to.lastIndexOf('@'))}`) : null,
    attempts,
    error: job.last_error,
    created_at,
    next_attempt_at: state === 'waiting' ? job.run_at : null,
    failed_at,
  }
}
