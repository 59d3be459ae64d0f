import { type InputOf, LIMITS, LOCALES, problem, scopes } from '@vrata/contract'
import { enqueue } from '../../adapters/jobs/jobs.ts'
import { folded } from '../../db/search-text.ts'
import { ROWS_AT_ONCE } from '../../db/transactions/small-steps.ts'
import { toFlag, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import type { MemberActor } from '../../http/actors.ts'
import type { ClientRow } from '../clients/public.ts'
import {
  announceClientChange,
  deleteRequestedScope,
  findOwnClient,
  findOwnClientForUpdate,
  listRequestingClients,
  updateScopePrefix,
} from '../clients/public.ts'
import { recordDeveloperActivity } from '../developers/public.ts'
import {
  deleteScopes,
  listScopeKeysForUpdate,
  listScopesOfClient,
  markScopesDeleted,
  upsertScope,
  withTexts,
} from '../scope-catalog/public.ts'

/** The job that takes a deleted scope from connections in small steps, and then deletes it. */
export const DELETE_SCOPE_JOB = 'delete_scope'
export type DeleteScopeJob = { key: string }

/** Maximum number of clients that `getScopeUsage` lists. */
const MAX_LISTED_CLIENTS = 20

/** Lists the scopes that a client of the actor's developer account defines, with all texts. */
export async function listDefinedScopes(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  input: InputOf<typeof scopes.listScopes>,
) {
  const client = await findOwnClient(deps, actor, input.id)
  return await withTexts(deps.db, await listScopesOfClient(deps.db, client.client_id))
}

/** Defines or changes a scope. The event `scopes_defined` updates the issuer on every node. */
export async function defineScope(
  deps: TransactionDeps,
  actor: MemberActor,
  input: InputOf<typeof scopes.defineScope>,
) {
  const client = await findOwnClientForUpdate(deps, actor, input.id)
  const { key } = input
  const texts = toTexts(input)
  const defined = await listScopesOfClient(deps.db, client.client_id)
  const before = defined.find((scope) => scope.key === key)
  if (!before) {
    await reserveScopePrefix(deps, client, key)
    if (defined.length >= LIMITS.scopes_per_client) throw problem('too_many_scopes')
  }
  const row = {
    key,
    client_id: client.client_id,
    sensitive: input.sensitive === undefined ? (before?.sensitive ?? 0) : toFlag(input.sensitive),
    required: input.required === undefined ? (before?.required ?? 0) : toFlag(input.required),
    search: folded(key, ...texts.flatMap(({ title, description }) => [title, description])),
    created_at: before?.created_at ?? toTime(deps.clock.now()),
    deleted_at: null,
  }
  if (!(await upsertScope(deps.db, row, texts))) throw problem('scope_being_removed', { fields: { key: 'taken' } })
  await deps.emit('scopes_defined', { keys: [key] })
  await recordDeveloperActivity(deps, actor, 'DEFINED_SCOPE', {
    client_id: client.client_id,
    name: client.name,
    scope: key,
  })
  const [scope] = await withTexts(deps.db, [row])
  if (!scope) throw problem('internal')
  return scope
}

/** Converts texts to rows. A language with a description requires a title. */
function toTexts({ key, title, description = {} }: InputOf<typeof scopes.defineScope>) {
  const written = LOCALES.filter((locale) => title[locale] || description[locale])
  const untitled = written.find((locale) => !title[locale])
  if (untitled) throw problem('invalid_request', { fields: { [`title.${untitled}`]: 'required' } })
  if (written.length === 0) throw problem('invalid_request', { fields: { title: 'required' } })
  return written.map((locale) => ({
    key,
    locale,
    title: title[locale] ?? '',
    description: description[locale] ?? '',
  }))
}

/** Checks the prefix of a key. The first key of a client reserves its prefix for this client permanently (api §6). */
async function reserveScopePrefix(deps: TransactionDeps, client: ClientRow, key: string): Promise<void> {
  const prefix = key.slice(0, key.indexOf('.'))
  if (client.scope_prefix === prefix) return
  if (client.scope_prefix !== null) {
    throw problem('wrong_prefix', { fields: { key: 'wrong' }, params: { prefix: client.scope_prefix } })
  }
  const reserved = (scopes.RESERVED_PREFIXES as readonly string[]).includes(prefix)
  if (reserved || !(await updateScopePrefix(deps.db, client, prefix))) {
    throw problem('prefix_taken', { fields: { key: 'taken' }, params: { prefix } })
  }
  await announceClientChange(deps, client.client_id)
}

/** Returns how many users have granted a scope, and which of the clients that members may see request it. */
export async function getScopeUsage(
  deps: Pick<AppDeps, 'db' | 'scopeUsers'>,
  actor: MemberActor,
  { id, key }: InputOf<typeof scopes.getScopeUsage>,
) {
  const client = await findOwnClient(deps, actor, id)
  const row = (await listScopesOfClient(deps.db, client.client_id)).find((scope) => scope.key === key)
  if (!row) throw problem('not_found')
  const { MAX_COUNTED_USERS } = scopes
  const [[scope], people, apps] = await Promise.all([
    withTexts(deps.db, [row]),
    deps.scopeUsers.count(deps.db, key, MAX_COUNTED_USERS + 1),
    listRequestingClients(deps.db, actor.developer_id, { key, limit: MAX_LISTED_CLIENTS + 1 }),
  ])
  if (!scope) throw problem('not_found')
  return {
    scope,
    people: Math.min(people, MAX_COUNTED_USERS),
    more_people: people > MAX_COUNTED_USERS,
    apps: apps.slice(0, MAX_LISTED_CLIENTS),
    more_apps: apps.length > MAX_LISTED_CLIENTS,
  }
}

/** Removes a scope at once from the client, from the clients that have it, and from what users granted. Throws `not_found`. */
export async function removeScope(
  deps: TransactionDeps,
  actor: MemberActor,
  { id, key }: InputOf<typeof scopes.removeScope>,
) {
  const client = await findOwnClientForUpdate(deps, actor, id)
  const [scopeKey] = await listScopeKeysForUpdate(deps.db, client.client_id, key)
  if (scopeKey === undefined) throw problem('not_found')
  await deleteDefinedScopes(deps, [scopeKey])
  await recordDeveloperActivity(deps, actor, 'REMOVED_SCOPE', {
    client_id: client.client_id,
    name: client.name,
    scope: key,
  })
  return {}
}

/**
 * Listens to `client_deleted`: removes the scopes that the client defines, so that a later client with the same keys does
 * not find them granted.
 */
export async function removeScopesOfClient(
  deps: TransactionDeps,
  { client_id }: Events['client_deleted'],
): Promise<void> {
  const keys = await listScopeKeysForUpdate(deps.db, client_id)
  if (keys.length > 0) await deleteDefinedScopes(deps, keys)
}

/** Scopes of many connections are marked as deleted: no read finds them, and a job deletes their rows (decision 0092). */
async function deleteDefinedScopes(deps: TransactionDeps, keys: string[]): Promise<void> {
  const later: string[] = []
  for (const key of keys)
    if ((await deps.scopeUsers.list(deps.db, key, ROWS_AT_ONCE)).length === ROWS_AT_ONCE) later.push(key)
  await deps.emit('scopes_removed', { keys, later })
  const asking = new Set<string>()
  for (const key of keys) for (const client_id of await deleteRequestedScope(deps.db, key)) asking.add(client_id)
  await markScopesDeleted(deps.db, later, toTime(deps.clock.now()))
  for (const key of later) await enqueue(deps, DELETE_SCOPE_JOB, { key } satisfies DeleteScopeJob)
  await deleteScopes(
    deps.db,
    keys.filter((key) => !later.includes(key)),
  )
  for (const client_id of asking) await announceClientChange(deps, client_id)
}
