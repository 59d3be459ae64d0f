import { timingSafeEqual } from 'node:crypto'
import type { clients, InputOf } from '@vrata/contract'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { hashToken, newToken } from '../../ports/ids.ts'
import { recordInDeveloper } from '../developers/door.ts'
import { ownClientToChange, tellChanged } from './own-client.ts'
import { type ClientRow, updateClient } from './store.ts'

/** Seconds for which a replaced secret still works when its developer asks for a grace (api.md §6). */
const GRACE = 24 * 60 * 60

/** A new secret in plain, to be shown once, and the columns that remember it (decision 0050). */
export function newSecret(now: Date) {
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
 * Is this the app's secret, or the one before it while its grace lasts? Takes the same time whichever characters are
 * wrong (ASVS 11.2.4). Where a key proves who an app is, its secret proves nothing any more.
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
  if (client.token_endpoint_auth_method === 'private_key_jwt') return undefined
  if (current) return 'current'
  return inGrace && previous ? 'previous' : undefined
}

function sameHash(stored: string | null, hash: string): boolean {
  return stored !== null && stored.length === hash.length && timingSafeEqual(Buffer.from(stored), Buffer.from(hash))
}

/** §7 Replaces the secret; the old one ends now, or in 24 hours with `grace`. */
export async function regenerateSecret(deps: Deps, actor: Member, input: InputOf<typeof clients.regenerateSecret>) {
  const client = await ownClientToChange(deps, actor, input.id)
  const now = deps.clock.now()
  const { client_secret, columns } = newSecret(now)
  const keepsOld = input.grace === true && client.secret_hash !== null
  const facts = { secret_last_used_at: null, previous_secret_until: keepsOld ? timeAfter(now, GRACE) : null }
  await updateClient(deps.db, client, {
    ...columns,
    ...facts,
    previous_secret_hash: keepsOld ? client.secret_hash : null,
    updated_at: toTime(now),
  })
  await recordInDeveloper(deps, actor, 'REGENERATED_SECRET', {
    client_id: client.client_id,
    name: client.name,
    ...(keepsOld ? { grace: 'true' } : {}),
  })
  await tellChanged(deps, client.client_id)
  return { client_secret, ...columns, ...facts }
}
