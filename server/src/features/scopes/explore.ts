import { type InputOf, type Locale, problem, type scopes } from '@vrata/contract'
import { scopeKey } from '@vrata/contract/fields'
import { anywhere, folded } from '../../db/search-text.ts'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findClientByScopePrefix } from '../clients/public.ts'
import {
  describeRows,
  describeScopes,
  isStandardScope,
  listScopeKeysOfClients,
  listScopesOfClient,
  STANDARD_SCOPES,
  standardScopeMatches,
} from '../scope-catalog/public.ts'
import { withClients } from './requested-scopes.ts'
import { listScopePrefixes, listScopes } from './store.ts'

type Input = Omit<InputOf<typeof scopes.exploreScopes>, 'mode'>
type Node = Awaited<ReturnType<typeof describeScopes>>[number] & { defined: boolean; children: number }
type Page = { after: string | undefined; limit: number }
/** Where nodes are read, for members of which developer account, and the language of their texts. */
type Reader = Pick<AppDeps, 'db'> & { developer_id: string; language: Locale }

/** Path of the whole tree. */
const ROOT = 'root'

/** Explores the tree of all scopes (api §6.7): standard scopes first, then the scopes of clients by key. */
export async function exploreScopes(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  { mode, ...input }: Input & { mode: scopes.ExploreMode },
) {
  if (input.cursor !== undefined && !scopeKey.safeParse(input.cursor).success) {
    throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  }
  const reader = { db: deps.db, developer_id: actor.developer_id, language: input.language ?? actor.locale }
  // One row more than the page shows whether there is a next page.
  const page = { after: input.cursor, limit: input.limit + 1 }
  const found = await findNodes(reader, input, mode, page)
  const shown = found.slice(0, input.limit)
  return {
    data: await withClients(deps.db, shown),
    next_cursor: found.length > shown.length ? (shown.at(-1)?.key ?? null) : null,
  }
}

export function exploreChildren(
  deps: Pick<AppDeps, 'db'>,
  actor: MemberActor,
  input: InputOf<typeof scopes.exploreChildren>,
) {
  return exploreScopes(deps, actor, { ...input, mode: 'direct-children' })
}

async function findNodes(reader: Reader, { path, query }: Input, mode: scopes.ExploreMode, page: Page) {
  const wanted = query ? folded(query) : undefined
  if (path === ROOT) {
    if (mode === 'direct-children' && wanted === undefined) return await listTopLevel(reader, page)
    if (mode !== 'self') return await listAllScopes(reader, wanted, page)
    throw problem('not_found')
  }
  const all = await listClientNodes(reader, path)
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

/** Lists the standard scopes and the scope prefix of each visible client that defines scopes. */
async function listTopLevel(reader: Reader, page: Page): Promise<Node[]> {
  const { db, developer_id } = reader
  const own = await listStandardScopes(reader, page)
  const prefixes = await listScopePrefixes(db, developer_id, remainingPage(page, own.length))
  const ids = prefixes.map(({ client_id }) => client_id)
  const keys = Map.groupBy(await listScopeKeysOfClients(db, ids), (row) => row.client_id)
  const apps = prefixes.map(({ client_id, scope_prefix }) => {
    const defined = keys.get(client_id)?.map(({ key }) => key) ?? []
    return toBranch(scope_prefix, client_id, countChildren(scope_prefix, defined))
  })
  return [...own, ...apps]
}

/** Lists all scopes, or those whose key or text in any language contains `wanted`. */
async function listAllScopes(reader: Reader, wanted: string | undefined, page: Page): Promise<Node[]> {
  const { db, developer_id, language } = reader
  const own = await listStandardScopes(reader, page, wanted)
  const rows = await listScopes(db, developer_id, {
    ...remainingPage(page, own.length),
    pattern: wanted === undefined ? undefined : anywhere(wanted),
  })
  const described = await describeRows(db, rows, language)
  return [...own, ...described.map((scope) => ({ ...scope, defined: true, children: 0 }))]
}

async function listStandardScopes({ db, language }: Reader, { after, limit }: Page, wanted?: string): Promise<Node[]> {
  // A cursor at a client-defined scope is behind all standard scopes.
  if (after !== undefined && !isStandardScope(after)) return []
  const from = after === undefined ? 0 : STANDARD_SCOPES.indexOf(after) + 1
  const keys = STANDARD_SCOPES.slice(from).filter((key) => wanted === undefined || standardScopeMatches(key, wanted))
  const described = await describeScopes(db, keys.slice(0, limit), language)
  return described.map((scope) => ({ ...scope, defined: true, children: 0 }))
}

/** Returns what remains of a page after the standard scopes. Their keys are not valid cursors for client-defined scopes. */
function remainingPage({ after, limit }: Page, own: number): Page {
  return { after: after !== undefined && isStandardScope(after) ? undefined : after, limit: limit - own }
}

/** Lists all nodes of the client to which a path belongs: its scopes and the branches above them. */
async function listClientNodes({ db, developer_id, language }: Reader, path: string): Promise<Node[]> {
  const [prefix = ''] = path.split('.')
  if (isStandardScope(path)) return (await describeScopes(db, [path], language)).map(toLeaf)
  const client_id = await findClientByScopePrefix(db, developer_id, prefix)
  if (client_id === undefined) return []
  const described = await describeRows(db, await listScopesOfClient(db, client_id), language)
  const keys = described.map(({ key }) => key)
  const scopes = new Map(described.map((scope) => [scope.key, scope]))
  const places = new Set([prefix, ...keys.flatMap(pathPrefixes)])
  return [...places].sort().map((key) => {
    const children = countChildren(key, keys)
    const scope = scopes.get(key)
    return scope ? { ...toLeaf(scope), children } : toBranch(key, client_id, children)
  })
}

/** `a.b.c` → a, a.b, a.b.c */
function pathPrefixes(key: string): string[] {
  const words = key.split('.')
  return words.map((_, index) => words.slice(0, index + 1).join('.'))
}

function countChildren(path: string, keys: readonly string[]): number {
  const below = keys.filter((key) => key.startsWith(`${path}.`))
  return new Set(below.map((key) => key.slice(path.length + 1).split('.')[0])).size
}

const toLeaf = (scope: Omit<Node, 'defined' | 'children'>): Node => ({ ...scope, defined: true, children: 0 })

/** A node without a scope of its own. */
function toBranch(key: string, client_id: string, children: number): Node {
  const nothing = { title: key, description: '', sensitive: false, required: false, language: null }
  return { key, ...nothing, client_id, defined: false, children }
}
