import { paths } from '@vrata/contract'
import { type Mail, mailStatement } from '../../../adapters/mail/mail.ts'
import type { Db, Guard, ReadDb, Statement } from '../../../db/open.ts'
import { toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor } from '../../../http/actors.ts'
import { hashToken, newToken } from '../../../lib/ids.ts'
import type { Listener } from '../../../listeners.ts'
import { findUser, greetingName, localeOf, mailFacts, type User } from '../../account/public.ts'
import { queueNotice } from '../../security/public.ts'
import { type StoredSession, updateSession } from '../store.ts'
import { deviceIdOf } from './device-id.ts'
import * as store from './device-store.ts'

/** Known devices per user. Beyond it the least recently used are deleted. */
const MAX_DEVICES = 20

/** The hash of the device cookie. */
export function deviceHashOf(visitor: AnonymousActor): string | undefined {
  const token = visitor.cookies.read('device')
  return token && hashToken(token)
}

/** Returns the hash of the device cookie if the user has signed in with this browser before. */
export async function findKnownDevice(
  deps: Pick<AppDeps, 'db'>,
  visitor: AnonymousActor,
  user_id: string,
): Promise<string | undefined> {
  const hash = deviceHashOf(visitor)
  if (!hash) return undefined
  return (await store.findDevice(deps.db, hash, user_id)) === undefined ? undefined : hash
}

/** Returns the ids of the users who have signed in with this browser, the latest first. */
export async function listDeviceUsers(db: ReadDb, visitor: AnonymousActor): Promise<string[]> {
  const hash = deviceHashOf(visitor)
  return hash ? await store.listUsers(db, hash) : []
}

/** Deletes this browser from the known devices of the user: the next sign-in counts as one from a new device. */
export async function deleteDevice(db: Db, visitor: AnonymousActor, user_id: string): Promise<void> {
  const hash = deviceHashOf(visitor)
  if (hash) await store.deleteDevice(db, hash, user_id)
}

/**
 * Inserts or updates this browser in the known devices of the user and emits `signed_in`. The device cookie outlives
 * sessions and sign-out. It grants no access: it exempts its holder from throttling that other browsers cause
 * (security §6.1.1).
 */
export async function recordDevice(
  deps: TransactionDeps,
  visitor: AnonymousActor,
  { user_id, session_id }: { user_id: string; session_id: string },
  { isNewAccount, approver }: { isNewAccount: boolean; approver: Approver | undefined },
): Promise<void> {
  const known_cookie = visitor.cookies.read('device')
  const token = known_cookie ?? newToken()
  visitor.cookies.write('device', token)
  const hash = hashToken(token)
  const device_id = deviceIdOf(user_id, token)
  const found = await store.findDevice(deps.db, hash, user_id)
  // The first browser of a new account needs no mail.
  const new_device = !isNewAccount && !found
  const now = toTime(deps.clock.now())
  const unknown_since = unknownSince()
  if (unknown_since !== null || new_device || !known_cookie)
    await updateSession(deps.db, session_id, { device_id, ...(unknown_since === null ? {} : { unknown_since }) })
  await store.upsertDevice(deps.db, { token_hash: hash, user_id, device_id, unknown_since, now })
  await store.deleteOldDevices(deps.db, { user_id, token_hash: hash, others: MAX_DEVICES - 1 })
  await deps.emit('signed_in', { user_id, from: visitor, new_device, by_qr: approver !== undefined })

  function unknownSince(): string | null {
    if (found) return found.unknown_since
    if (isNewAccount) return null
    // The approver of a QR code has seen the device and is not asked about it, unless their own is new; a mail still reports it.
    return approver ? approver.unknown_since : now
  }
}

/** The session that has approved a QR code; null since when it is unknown for one whose device is recognized. */
export type Approver = Pick<StoredSession, 'unknown_since'>

/**
 * Mails the user about a sign-in from an unknown browser (security §6.3.5), and about every QR sign-in, because an
 * attacker may have persuaded the user to approve it.
 */
export const onSignedIn: Listener<'signed_in'> = async (deps, { user_id, from, new_device, by_qr }) => {
  if (!new_device && !by_qr) return
  const user = await findUser(deps.db, user_id)
  if (user) await queueNotice(deps, user, await mailOf(deps, user, from, by_qr ? 'qr_sign_in' : 'new_device'))
}

type MailedUser = Pick<User, 'email' | 'email_verified_at' | 'first_name' | 'language'>

async function mailOf(
  deps: Pick<AppDeps, 'config' | 'clock' | 'geoip'>,
  user: MailedUser,
  from: AnonymousActor,
  template: 'qr_sign_in' | 'new_device',
): Promise<Mail> {
  const locale = localeOf(user)
  const link = `${deps.config.url}${paths.devices}`
  const values = { name: greetingName(user), link, ...(await mailFacts(deps, locale, from)) }
  return { to: user.email, locale, template, values }
}

/**
 * `recordDevice` and the mail that follows from it as parts of `GuardedWrites`, of a sign-in in a browser that has no device cookie or one
 * with which the user has signed in before. The guards do not hold when that one has been forgotten meanwhile. `accept` writes the cookie, after the
 * commit.
 */
export async function deviceStatements(
  deps: Pick<AppDeps, 'config' | 'clock' | 'geoip' | 'encryption' | 'signals' | 'ownJobs' | 'traceparent'>,
  visitor: AnonymousActor,
  user: MailedUser & Pick<User, 'id'> & { browser_unknown_since: string | null },
): Promise<{
  guards: Guard[]
  writes: Statement[]
  columns: Pick<StoredSession, 'device_id' | 'unknown_since'>
  accept(): void
}> {
  const known_cookie = visitor.cookies.read('device')
  const token = known_cookie ?? newToken()
  const hash = hashToken(token)
  const now = toTime(deps.clock.now())
  const device_id = deviceIdOf(user.id, token)
  const mail = known_cookie ? undefined : mailStatement(deps, await mailOf(deps, user, visitor, 'new_device'))
  return {
    guards: mail ? [] : [store.knownDeviceGuard(hash, user.id, now)],
    writes: mail
      ? [
          store.deviceStatement({ token_hash: hash, user_id: user.id, device_id, unknown_since: now, now }),
          // Only a new one makes them more.
          store.oldDevicesStatement({ user_id: user.id, token_hash: hash, others: MAX_DEVICES - 1 }),
          mail.write,
        ]
      : [],
    columns: { device_id, unknown_since: mail ? now : user.browser_unknown_since },
    accept() {
      visitor.cookies.write('device', token)
      mail?.committed()
    },
  }
}
