import { LIFETIMES } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import { hashToken, newToken, type Token } from '../../ports/ids.ts'
import * as store from './store.ts'

/** More mails of a kind than this to one person in an hour would be a nuisance to whoever owns the address. */
const MOST_PER_HOUR = 5
const HOUR = 60 * 60

export type Issued = { token: Token; expires_at: string }

/**
 * Makes the token of a mailed link: random, kept as its hash, bound to kind, person and address; the ones before it are
 * void (decision 0042). Undefined when there have been too many within the hour.
 */
export async function issueToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  kind: store.TokenKind,
  { user_id, email }: store.Bound,
): Promise<Issued | undefined> {
  const now = deps.clock.now()
  if ((await store.countTokens(deps.db, user_id, kind, timeAfter(now, -HOUR))) >= MOST_PER_HOUR) return undefined
  const token = newToken()
  const expires_at = timeAfter(now, LIFETIMES[kind])
  await store.voidTokens(deps.db, user_id, kind, toTime(now))
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

/** Whose it is, once; undefined for a token that is unknown, used, void, expired or of another kind. */
export async function consumeToken(deps: Pick<Deps, 'db' | 'clock'>, kind: store.TokenKind, token: string) {
  return await store.consumeToken(deps.db, hashToken(token), kind, toTime(deps.clock.now()))
}

/** Whose it is; uses nothing up. */
export async function findToken(deps: Pick<ReadDeps, 'db' | 'clock'>, kind: store.TokenKind, token: string) {
  return await store.findToken(deps.db, hashToken(token), kind, toTime(deps.clock.now()))
}

export async function voidTokens(deps: Pick<Deps, 'db' | 'clock'>, kind: store.TokenKind, user_id: string) {
  await store.voidTokens(deps.db, user_id, kind, toTime(deps.clock.now()))
}

/** Expired ones stay an hour, for the count. */
export async function pruneTokens(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteExpiredTokens(deps.db, timeAfter(deps.clock.now(), -HOUR), most)
}
