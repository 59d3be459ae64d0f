import { LIFETIMES } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { hashToken, newToken, type Token } from '../../lib/ids.ts'
import * as store from './one-time-token-store.ts'

/** Mails of one kind per user and hour, which prevents flooding a mailbox. */
const MAX_PER_HOUR = 5
const HOUR = 60 * 60

export type IssuedToken = { token: Token; expires_at: string }

/**
 * Issues the token of a mailed link: random, stored as its hash, bound to kind, user and address. Voids former tokens of
 * the kind (decision 0049). Returns undefined when the hourly limit is reached.
 */
export async function issueToken(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  kind: store.TokenKind,
  { user_id, email }: store.TokenSubject,
): Promise<IssuedToken | undefined> {
  const now = deps.clock.now()
  if ((await store.countTokens(deps.db, user_id, kind, timeAfter(now, -HOUR))) >= MAX_PER_HOUR) return undefined
  const token = newToken()
  const expires_at = timeAfter(now, LIFETIMES[kind])
  await store.consumeTokensOfUser(deps.db, user_id, kind, toTime(now))
  await store.insertToken(deps.db, {
    token_hash: hashToken(token),
    kind,
    user_id,
    email,
    created_at: toTime(now),
    expires_at,
    consumed_at: null,
  })
  return { token, expires_at }
}

/** Consumes a token. Returns undefined when it is unknown, consumed, expired or of another kind. */
export async function consumeToken(deps: Pick<TransactionDeps, 'db' | 'clock'>, kind: store.TokenKind, token: string) {
  return await store.consumeToken(deps.db, hashToken(token), kind, toTime(deps.clock.now()))
}

/** Finds a valid token without consuming it. */
export async function findToken(deps: Pick<AppDeps, 'db' | 'clock'>, kind: store.TokenKind, token: string) {
  return await store.findToken(deps.db, hashToken(token), kind, toTime(deps.clock.now()))
}

/** Finds a token that was consumed, or voided by a newer one, and has not expired: for the answer to a repeated request. */
export async function findConsumedToken(deps: Pick<AppDeps, 'db' | 'clock'>, kind: store.TokenKind, token: string) {
  return await store.findConsumedToken(deps.db, hashToken(token), kind, toTime(deps.clock.now()))
}

/** Whether a user has a valid token of a kind. */
export async function hasToken(deps: Pick<AppDeps, 'db' | 'clock'>, kind: store.TokenKind, user_id: string) {
  return await store.hasToken(deps.db, user_id, kind, toTime(deps.clock.now()))
}

/** Makes all tokens of a kind that a user has useless. */
export async function voidTokens(deps: Pick<TransactionDeps, 'db' | 'clock'>, kind: store.TokenKind, user_id: string) {
  await store.consumeTokensOfUser(deps.db, user_id, kind, toTime(deps.clock.now()))
}

/** Expired tokens are kept for an hour, because they count toward the hourly limit. */
export async function pruneTokens(deps: Pick<TransactionDeps, 'db' | 'clock'>, limit: number): Promise<number> {
  return await store.deleteExpiredTokens(deps.db, timeAfter(deps.clock.now(), -HOUR), limit)
}
