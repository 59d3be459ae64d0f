import { LIMITS, problem } from '@vrata/contract'
import { type Mail, queueMail } from '../../adapters/mail/mail.ts'
import type { UsersTable } from '../../db/schema.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { hashToken } from '../../lib/ids.ts'
import * as store from './mail-count-store.ts'

const DAY = 24 * 60 * 60

declare const keyed: unique symbol
/** Key of a counter of mails. */
export type MailKey = string & { [keyed]: true }

/** Addresses are hashed, because most of them belong to people without an account. */
export const mailKey = {
  /** Mails that confirm an address or tell its user that it was entered for another account. */
  confirmation: (email: string) => `confirmation:${hashToken(email)}` as MailKey,
  /** Mails that an app asks a user to sign in (OpenID Connect CIBA Core): of one app, and of all. */
  requestOfApp: (user_id: string, client_id: string) => `request:${user_id}:${client_id}` as MailKey,
  request: (user_id: string) => `request:${user_id}` as MailKey,
  /** Mails about changes to an account whose address is unconfirmed. */
  notice: (email: string) => `notice:${hashToken(email)}` as MailKey,
  invitation: (email: string) => `invitation:${hashToken(email)}` as MailKey,
  /** Invitations that a user sends. */
  inviter: (user_id: string) => `inviter:${user_id}` as MailKey,
}

type Deps = Pick<TransactionDeps, 'db' | 'clock'>

/**
 * Counts a mail to be sent. Throws `too_many_requests` when `limit` mails were sent within the day that began with the first
 * of them.
 */
export async function countMail(deps: Deps, key: MailKey, limit: number): Promise<void> {
  if (await hasCountedMail(deps, key, limit)) return
  const until = await store.findMailCountEnd(deps.db, key)
  const seconds = until === undefined ? DAY : Math.ceil((Date.parse(until) - deps.clock.now().getTime()) / 1000)
  throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
}

/** Like `countMail`; returns false when the limit is reached. */
export async function hasCountedMail({ db, clock }: Deps, key: MailKey, limit: number): Promise<boolean> {
  const now = clock.now()
  return await store.upsertMailCount(db, { key, limit, now: toTime(now), until: timeAfter(now, DAY) })
}

/**
 * Queues a mail to a user about a change to the account. To an unconfirmed address at most `LIMITS.notices_per_unconfirmed_address` a day are sent:
 * it may belong to a person who has not registered it, and each change would send another mail to them.
 */
export async function queueNotice(
  deps: TransactionDeps,
  user: Pick<UsersTable, 'email_verified_at'>,
  mail: Mail,
): Promise<void> {
  const most = LIMITS.notices_per_unconfirmed_address
  if (user.email_verified_at === null && !(await hasCountedMail(deps, mailKey.notice(mail.to), most))) return
  await queueMail(deps, mail)
}

export async function pruneMailCounts({ db, clock }: Deps, limit: number): Promise<number> {
  return await store.deleteOldMailCounts(db, toTime(clock.now()), limit)
}
