import { type InputOf, type Locale, problem, type scopes } from '@vrata/contract'
import { scopeKey } from '@vrata/contract/fields'
import type { ReadDb } from '../../db/open.ts'
import { anywhere, folded } from '../../db/search-text.ts'
import type { ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import {
  describeRows,
  describeScopes,
  isOwnScope,
  listKeysOf,
  listScopes,
  listScopesOf,
  OWN_SCOPES,
  ownScopeMatches,
} from '../scopes/door.ts'
import { withApps } from './asked-scopes.ts'
import { findByPrefix, listPrefixes } from './explore-store.ts'

type Input = Omit<InputOf<typeof scopes.exploreScopes>, 'mode'>
type Node = Awaited<ReturnType<typeof describeScopes>>[number] & { defined: boolean; children: number }
type Page = { after: string | undefined; limit: number }

/** The path of the whole tree. */
const ROOT = 'root'

/** The tree of all scopes, over all apps (api.md §6): the product's own first, then those of apps by key. */
export async function exploreScopes(
  deps: ReadDeps,
  actor: Member,
  { mode, ...input }: Input & { mode: scopes.ExploreMode },
) {
  if (input.cursor !== undefined && !scopeKey.safeParse(input.cursor).success) {
    throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  }
  const language = input.language ?? actor.locale
  // One more than asked for is read, to know whether there is a next page.
  const page = { after: input.cursor, limit: input.limit + 1 }
  const found = await nodes(deps.db, input, mode, language, page)
  const shown = found.slice(0, input.limit)
  return {
    data: await withApps(deps.db, shown),
    next_cursor: found.length > shown.length ? (shown.at(-1)?.key ?? null) : null,
  }
}

export function exploreChildren(deps: ReadDeps, actor: Member, input: InputOf<typeof scopes.exploreChildren>) {
  return exploreScopes(deps, actor, { ...input, mode: 'direct-children' })
}

async function nodes(db: ReadDb, { path, query }: Input, mode: scopes.ExploreMode, language: Locale, page: Page) {
  const wanted = query ? folded(query) : undefined
  if (path === ROOT) {
    if (mode === 'direct-children' && wanted === undefined) return await topLevel(db, language, page)
    if (mode !== 'self') return await everything(db, language, wanted, page)
    throw problem('not_found')
  }
  const all = await placesAt(db, path, language)
  const self = all.find(({ key }) => key === path)
  if (!self) throw problem('not_found')
  const below = all.filter(({ key }) => key.startsWith(`${path}.`))
  const direct = below.filter(({ key }) => !key.slice(path.length + 1).includes('.'))
  const within = { self: [self], 'direct-children': direct, 'all-children': below.filter(({ defined }) => defined) }[
    mode
  ]
  const { after } = page
  return within
    .filter(({ key, title, description }) => wanted === undefined || folded(key, title, description).includes(wanted))
    .filter(({ key }) => after === undefined || key > after)
    .slice(0, page.limit)
}

/** The product's own scopes, and the first word of each app that defines some. */
async function topLevel(db: ReadDb, language: Locale, page: Page): Promise<Node[]> {
  const own = await ownNodes(db, language, page)
  const prefixes = await listPrefixes(db, rest(page, own.length))
  const ids = prefixes.map(({ client_id }) => client_id)
  const keys = Map.groupBy(await listKeysOf(db, ids), (row) => row.client_id)
  const apps = prefixes.map(({ client_id, scope_prefix }) => {
    const defined = keys.get(client_id)?.map(({ key }) => key) ?? []
    return placeOf(scope_prefix, client_id, directBelow(scope_prefix, defined))
  })
  return [...own, ...apps]
}

/** Every scope, or all whose key or text in any language contains `wanted`. */
async function everything(db: ReadDb, language: Locale, wanted: string | undefined, page: Page): Promise<Node[]> {
  const own = await ownNodes(db, language, page, wanted)
  const rows = await listScopes(db, {
    ...rest(page, own.length),
    pattern: wanted === undefined ? undefined : anywhere(wanted),
  })
  const described = await describeRows(db, rows, language)
  return [...own, ...described.map((scope) => ({ ...scope, defined: true, children: 0 }))]
}

async function ownNodes(db: ReadDb, language: Locale, { after, limit }: Page, wanted?: string): Promise<Node[]> {
  // Whoever is at a key of an app has seen these.
  if (after !== undefined && !isOwnScope(after)) return []
  const from = after === undefined ? 0 : OWN_SCOPES.indexOf(after) + 1
  const keys = OWN_SCOPES.slice(from).filter((key) => wanted === undefined || ownScopeMatches(key, wanted))
  const described = await describeScopes(db, keys.slice(0, limit), language)
  return described.map((scope) => ({ ...scope, defined: true, children: 0 }))
}

/** What remains of a page after the product's own scopes; their keys are no places among those of apps. */
function rest({ after, limit }: Page, own: number): Page {
  return { after: after !== undefined && isOwnScope(after) ? undefined : after, limit: limit - own }
}

/** All places of the app to which a path belongs: its scopes, and the words on the way to them. */
async function placesAt(db: ReadDb, path: string, language: Locale): Promise<Node[]> {
  const [prefix = ''] = path.split('.')
  if (isOwnScope(path)) return (await describeScopes(db, [path], language)).map(leaf)
  const client_id = await findByPrefix(db, prefix)
  if (client_id === undefined) return []
  const described = await describeRows(db, await listScopesOf(db, client_id), language)
  const keys = described.map(({ key }) => key)
  const scopes = new Map(described.map((scope) => [scope.key, scope]))
  const places = new Set([prefix, ...keys.flatMap(waysTo)])
  return [...places].sort().map((key) => {
    const children = directBelow(key, keys)
    const scope = scopes.get(key)
    return scope ? { ...leaf(scope), children } : placeOf(key, client_id, children)
  })
}

/** `a.b.c`: a, a.b, a.b.c */
function waysTo(key: string): string[] {
  const words = key.split('.')
  return words.map((_, index) => words.slice(0, index + 1).join('.'))
}

function directBelow(path: string, keys: readonly string[]): number {
  const below = keys.filter((key) => key.startsWith(`${path}.`))
  return new Set(below.map((key) => key.slice(path.length + 1).split('.')[0])).size
}

const leaf = (scope: Omit<Node, 'defined' | 'children'>): Node => ({ ...scope, defined: true, children: 0 })

/** A place at which no scope stands: only a word of keys. */
function placeOf(key: string, client_id: string, children: number): Node {
  const nothing = { title: key, description: '', sensitive: false, required: false, language: null }
  return { key, ...nothing, client_id, defined: false, children }
}
