import { type connections, type InputOf, problem } from '@vrata/contract'
import { fromJson, toJson, toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { newId } from '../../ports/ids.ts'
import type { PendingRequest } from '../../ports/pending-requests.ts'
import { findUser } from '../account/door.ts'
import { record } from '../activity/door.ts'
import { holdClient } from '../clients/door.ts'
import { definedAmong, heldScopes, requiredScopes } from '../scopes/door.ts'
import { askingClient, pendingRequest, refuseBeyond, unknownScope } from './consent.ts'
import { connectionOf } from './door.ts'
import { holdKnownUserOf, indexUser } from './known-user.ts'
import { keepScopes } from './scope-store.ts'
import { lockConnection, setScopes } from './store.ts'
import type { DeveloperUserRow } from './users-store.ts'

/** The person's answer on the consent screen: allows scopes in addition to those allowed before, or denies. */
export async function decide(deps: Deps, actor: Person, input: InputOf<typeof connections.putConsent>) {
  const client = await askingClient(deps.db, input.client)
  const pending = await pendingRequest(deps, actor, input)
  const before = (await connectionOf(deps.db, actor.user_id, input.client))?.scopes ?? []
  if (input.deny) return { scopes: before, ...(await goOn(deps, pending, 'denied')) }

  const user = await findUser(deps.db, actor.user_id)
  if (!user?.email_verified_at) throw problem('email_not_verified')
  const wanted = [...new Set(input.scopes)]
  await refuseBeyond(deps.db, wanted, client, pending)
  const allowed = new Set([...before, ...wanted])
  // Allowing nothing at all is denying, and is said so.
  const asked = pending?.scopes.filter((key) => client.scopes.includes(key)) ?? []
  const needed = await requiredScopes(deps.db, asked)
  if (allowed.size === 0 || needed.some((key) => !allowed.has(key))) {
    throw problem('invalid_request', { fields: { scopes: 'required' } })
  }
  const line = await holdKnownUserOf(deps, input.client, actor.user_id)
  if (!line) throw problem('not_found')
  if (line.blocked_at) throw problem('user_blocked')
  // From here on the app and the scopes stay, so that the connection has something to stand on.
  if (!(await holdClient(deps.db, input.client))) throw problem('not_found')
  const held = await heldScopes(deps.db, wanted)
  const gone = wanted.find((key) => !held.has(key))
  if (gone !== undefined) throw unknownScope(gone)
  const scopes = await allow(deps, actor, input.client, { wanted, asked, line })
  return { scopes, ...(await goOn(deps, pending, 'allowed')) }
}

async function goOn(deps: Deps, pending: PendingRequest | undefined, decision: 'allowed' | 'denied') {
  return pending ? { redirect_to: await deps.requests.finish(deps, pending, decision) } : {}
}

/** Adds to what the person has allowed; answers all of it. What is new becomes an activity. */
async function allow(
  deps: Deps,
  actor: Person,
  client_id: string,
  { wanted, asked, line }: { wanted: string[]; asked: string[]; line: DeveloperUserRow },
): Promise<string[]> {
  const { user_id, session_id } = actor
  const now = toTime(deps.clock.now())
  const row = await lockConnection(deps.db, {
    id: newId(deps.clock),
    user_id,
    client_id,
    scopes: toJson<string[]>([]),
    declined: toJson<string[]>([]),
    created_at: now,
    updated_at: now,
    last_used_at: null,
    blocked_at: null,
  })
  const granted = fromJson<string[]>(row.scopes)
  const added = wanted.filter((key) => !granted.includes(key))
  const scopes = [...granted, ...added]
  // Asked and not allowed: the next sign-in need not ask again (decision 0152).
  const refused = new Set([...fromJson<string[]>(row.declined), ...asked].filter((key) => !scopes.includes(key)))
  await setScopes(deps.db, row.id, { scopes: toJson(scopes), declined: toJson([...refused]) })
  if (added.length === 0) return granted
  await indexUser(deps.db, line)
  await keepScopes(deps.db, row.id, definedAmong(added))
  await record(deps, { type: 'GRANTED_SCOPES_TO_APP', user_id, from: actor, session_id, client_id, scopes: added })
  return scopes
}
