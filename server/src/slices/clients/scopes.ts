import { type InputOf, LIMITS, LOCALES, problem, scopes } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import { toFlag, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { recordInDeveloper } from '../developers/door.ts'
import { deleteScopes, listScopesOf, lockScopesOf, putScope, withTexts } from '../scopes/door.ts'
import { forgetAsked, listAsking } from './asked-scope-store.ts'
import { takePrefix } from './explore-store.ts'
import { ownClient, ownClientToChange, tellChanged } from './own-client.ts'
import type { ClientRow } from './store.ts'

/** Apps that are named to whoever thinks of removing a scope. */
const NAMED_APPS = 20

export async function scopesOf(deps: ReadDeps, actor: Member, input: InputOf<typeof scopes.listScopes>) {
  const client = await ownClient(deps, actor, input.id)
  return await withTexts(deps.db, await listScopesOf(deps.db, client.client_id))
}

/** Defines a scope or changes one. It works at once, on every node: who keeps all scopes in memory hears of it. */
export async function defineScope(deps: Deps, actor: Member, input: InputOf<typeof scopes.putScope>) {
  const client = await ownClientToChange(deps, actor, input.id)
  const { key } = input
  const texts = textsOf(input)
  const defined = await listScopesOf(deps.db, client.client_id)
  const before = defined.find((scope) => scope.key === key)
  if (!before) {
    await usePrefix(deps, client, key)
    if (defined.length >= LIMITS.scopes_per_client) throw problem('too_many_scopes')
  }
  const row = {
    key,
    client_id: client.client_id,
    sensitive: input.sensitive === undefined ? (before?.sensitive ?? 0) : toFlag(input.sensitive),
    required: input.required === undefined ? (before?.required ?? 0) : toFlag(input.required),
    search: folded(key, ...texts.flatMap(({ title, description }) => [title, description])),
    created_at: before?.created_at ?? toTime(deps.clock.now()),
  }
  await putScope(deps.db, row, texts)
  await deps.tell('scopes_defined', { keys: [key] })
  await recordInDeveloper(deps, actor, 'DEFINED_SCOPE', { client_id: client.client_id, name: client.name, scope: key })
  const [scope] = await withTexts(deps.db, [row])
  if (!scope) throw problem('internal')
  return scope
}

/** A description without a title would stand under somebody else's words. */
function textsOf({ key, title, description = {} }: InputOf<typeof scopes.putScope>) {
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

/** The first key of an app takes its first word for it alone, for good (api.md §6). */
async function usePrefix(deps: Deps, client: ClientRow, key: string): Promise<void> {
  const prefix = key.slice(0, key.indexOf('.'))
  if (client.scope_prefix === prefix) return
  if (client.scope_prefix !== null) {
    throw problem('wrong_prefix', { fields: { key: 'wrong' }, params: { prefix: client.scope_prefix } })
  }
  const reserved = (scopes.RESERVED_PREFIXES as readonly string[]).includes(prefix)
  if (reserved || !(await takePrefix(deps.db, client, prefix))) {
    throw problem('prefix_taken', { fields: { key: 'taken' }, params: { prefix } })
  }
  await tellChanged(deps, client.client_id)
}

/** Whom its removal would hit: people who allow it, and apps that ask for it. */
export async function scopeUse(deps: ReadDeps, actor: Member, { id, key }: InputOf<typeof scopes.getScopeUse>) {
  const client = await ownClient(deps, actor, id)
  const row = (await listScopesOf(deps.db, client.client_id)).find((scope) => scope.key === key)
  if (!row) throw problem('not_found')
  const { COUNTED_PEOPLE } = scopes
  const [[scope], people, apps] = await Promise.all([
    withTexts(deps.db, [row]),
    deps.peopleWith.count(deps.db, key, COUNTED_PEOPLE + 1),
    listAsking(deps.db, key, NAMED_APPS + 1),
  ])
  if (!scope) throw problem('not_found')
  return {
    scope,
    people: Math.min(people, COUNTED_PEOPLE),
    more_people: people > COUNTED_PEOPLE,
    apps: apps.slice(0, NAMED_APPS),
    more_apps: apps.length > NAMED_APPS,
  }
}

export async function removeScope(deps: Deps, actor: Member, { id, key }: InputOf<typeof scopes.removeScope>) {
  const client = await ownClientToChange(deps, actor, id)
  const [held] = await lockScopesOf(deps.db, client.client_id, key)
  if (held === undefined) throw problem('not_found')
  await forget(deps, [held])
  await recordInDeveloper(deps, actor, 'REMOVED_SCOPE', { client_id: client.client_id, name: client.name, scope: key })
  return {}
}

/** Everything that an app defines, when it goes itself: nobody must find a later app's scopes allowed already. */
export async function removeScopesOf(deps: Deps, client_id: string): Promise<void> {
  const keys = await lockScopesOf(deps.db, client_id)
  if (keys.length > 0) await forget(deps, keys)
}

async function forget(deps: Deps, keys: string[]): Promise<void> {
  await deps.tell('scopes_removed', { keys })
  const asking = new Set<string>()
  for (const key of keys) for (const client_id of await forgetAsked(deps.db, key)) asking.add(client_id)
  await deleteScopes(deps.db, keys)
  for (const client_id of asking) await tellChanged(deps, client_id)
}
