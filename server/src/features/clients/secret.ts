import { timingSafeEqual } from 'node:crypto'
import type { clients, InputOf } from '@vrata/contract'
import { fromTime, timeAfter, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import { isKeyMethod } from './advanced/client-certificates.ts'
import { announceClientChange, findOwnClientForUpdate } from './own-client.ts'
import { type ClientRow, secretLastUsed, updateClient } from './store.ts'

/** Seconds for which a replaced secret stays valid when `grace` is set (api §6). */
const GRACE = 24 * 60 * 60

/** Returns a new secret in plain text and the columns that store its hash (decision 0028). */
export function newClientSecret(now: Date) {
  const client_secret = `vrts_${newToken()}`
  return {
    client_secret,
    columns: {
      secret_hash: hashToken(client_secret) as string,
      secret_hint: client_secret.slice(-4),
      secret_created_at: toTime(now) as string,
    },
  }
}

type SecretColumns = Pick<
  ClientRow,
  'secret_hash' | 'previous_secret_hash' | 'previous_secret_until' | 'token_endpoint_auth_method'
>

/**
 * Returns whether this is the current secret, or the previous one within its grace period. Compares in constant time (ASVS
 * 11.2.4). No secret is valid for a client that authenticates with its key (`private_key_jwt`, RFC 8705).
 */
export function verifyClientSecret(
  client: SecretColumns,
  presented: string,
  now: Date,
): 'current' | 'previous' | undefined {
  const hash = hashToken(presented)
  const inGrace = client.previous_secret_until !== null && Date.parse(client.previous_secret_until) > now.getTime()
  const current = sameHash(client.secret_hash, hash)
  const previous = sameHash(client.previous_secret_hash, hash)
  if (isKeyMethod(client.token_endpoint_auth_method)) return undefined
  if (current) return 'current'
  return inGrace && previous ? 'previous' : undefined
}

function sameHash(stored: string | null, hash: string): boolean {
  return stored !== null && stored.length === hash.length && timingSafeEqual(Buffer.from(stored), Buffer.from(hash))
}

/** Replaces the secret. The old one ends at once, or in 24 hours with `grace` (api §6). */
export async function regenerateSecret(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof clients.regenerateSecret>,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  const { keepsPrevious, ...replaced } = await replaceSecret(deps, client, input.grace === true)
  await recordDeveloperActivity(deps, actor, 'REGENERATED_SECRET', {
    client_id: client.client_id,
    name: client.name,
    ...(keepsPrevious ? { grace: 'true' } : {}),
  })
  return replaced
}

/** Replaces the secret of a locked client for a member or a command, which records it. */
export async function replaceSecret(deps: TransactionDeps, client: ClientRow, grace: boolean) {
  const now = deps.clock.now()
  const { client_secret, columns } = newClientSecret(now)
  const previous_secret_hash = grace ? secretInUse(client, now) : null
  const keepsPrevious = previous_secret_hash !== null
  const usage = { secret_last_used_at: null, previous_secret_until: keepsPrevious ? timeAfter(now, GRACE) : null }
  await updateClient(deps.db, client, {
    ...columns,
    ...usage,
    previous_secret_hash,
    updated_at: toTime(now),
  })
  await deps.revoke('secret_regenerated', { client_id: client.client_id })
  await announceClientChange(deps, client.client_id)
  return { client_secret, ...columns, ...usage, keepsPrevious }
}

/**
 * The hash of the secret that the client works with. While its current secret has not been used, that is the previous one: a developer who did
 * not copy a new secret, or did not receive it, makes another one.
 */
function secretInUse(client: ClientRow, now: Date): string | null {
  const inGrace = client.previous_secret_until !== null && Date.parse(client.previous_secret_until) > now.getTime()
  return inGrace && client.secret_last_used_at === null ? client.previous_secret_hash : client.secret_hash
}

/** Seconds between two writes of the last use, so that a busy client does not write at every request. */
const USE_INTERVAL = 60

/** Secret of a cached client; shared by the requests of a process. */
interface SecretUse {
  client_id: string
  secret_hash: string | null
  secret_last_used_at: string | null
}

/**
 * Returns the write that records a use of the secret now, also as a statement of `GuardedWrites`, or undefined when one was recorded within the
 * last minute. The process remembers it after the commit: a write that is undone is made by the next request.
 */
export function recordSecretUse(client: SecretUse, now: Date) {
  const { client_id, secret_hash, secret_last_used_at: last } = client
  // Nearly every request ends here. To write two times as text takes ten times as long.
  if (last !== null && fromTime(last).getTime() > now.getTime() - USE_INTERVAL * 1000) return undefined
  const use = { client_id, secret_hash, now: toTime(now), before: timeAfter(now, -USE_INTERVAL) }
  const remember = () => {
    client.secret_last_used_at = use.now
  }
  const write = async ({ db, after }: Pick<TransactionDeps, 'db' | 'after'>) => {
    await secretLastUsed.changed(db, use)
    after(remember)
  }
  return Object.assign(write, { statements: async () => ({ writes: [secretLastUsed.with(use)], after: remember }) })
}
