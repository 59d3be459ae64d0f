import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { LOCALES, type Locale } from '../locales.ts'
import { clientCard } from './connections.ts'

/** Scope prefixes that no client can reserve: those of OpenID Connect and of the product, and `root`, a path of the explorer. */
export const RESERVED_PREFIXES = [
  ...['account', 'address', 'email', 'groups', 'offline_access', 'openid', 'phone', 'profile'],
  ...['admin', 'oauth', 'oidc', 'root', 'scope', 'vrata'],
] as const

/** Modes of the explorer (api §6.7). */
export const EXPLORE_MODES = ['direct-children', 'all-children', 'self'] as const
export type ExploreMode = (typeof EXPLORE_MODES)[number]

/** Highest number of users that is counted; beyond it `more_people` is true. */
export const MAX_COUNTED_USERS = 10_000

const perLocale = <T extends z.ZodType>(text: T) =>
  z.object(Object.fromEntries(LOCALES.map((locale) => [locale, text.optional()])) as Record<Locale, z.ZodOptional<T>>)
const byLocale = z.partialRecord(f.locale, z.string())

/** A scope with all texts, for the client that defines it. A language without a title has no text. */
export const definedScope = z.object({
  key: f.scopeKey,
  title: byLocale,
  description: byLocale,
  /** The consent screen marks it and does not preselect it. */
  sensitive: z.boolean(),
  /** The user cannot decline it separately. */
  required: z.boolean(),
  created_at: f.time,
})
export type DefinedScope = z.output<typeof definedScope>

const clientParams = z.object({ id: f.id })
const scopeParams = z.object({ id: f.id, key: f.scopeKey })

export const listScopes = route('GET', '/client/:id/scopes', {
  summary: 'List the scopes that an app defines, by key.',
  needs: 'member',
  params: clientParams,
  data: z.array(definedScope),
  problems: ['not_found'],
})

export const defineScope = route('POST', '/client/:id/scopes', {
  summary:
    'Define or change a scope. The texts replace all previous texts. The first key reserves the scope prefix of the app.',
  needs: 'developer',
  params: clientParams,
  body: z.object({
    key: f.definedKey,
    /** At least one language. */
    title: perLocale(f.line(LIMITS.scope_title_max)),
    description: perLocale(f.text(LIMITS.scope_description_max)).optional(),
    sensitive: z.boolean().optional(),
    required: z.boolean().optional(),
  }),
  data: definedScope,
  problems: ['not_found', 'prefix_taken', 'wrong_prefix', 'too_many_scopes', 'scope_being_removed'],
})

export const getScopeUsage = route('GET', '/client/:id/scopes/:key', {
  summary: 'Get the usage of a scope: how many users have granted it, and which apps request it.',
  // It is a figure (api §5.1).
  needs: 'analyst',
  params: scopeParams,
  data: z.object({
    scope: definedScope,
    /** Number of users who have granted the scope to any client, up to 10 000. */
    people: z.number().int(),
    more_people: z.boolean(),
    /** Clients that request it, by name; at most 20. Those of others only while they can be used. */
    apps: z.array(z.object({ client_id: f.id, name: z.string(), icon: f.picture })),
    more_apps: z.boolean(),
  }),
  problems: ['not_found'],
})

export const removeScope = route('DELETE', '/client/:id/scopes/:key', {
  summary: 'Remove a scope. It is removed at once from requested scopes, grants and tokens.',
  needs: 'developer',
  params: scopeParams,
  data: f.nothing,
  problems: ['not_found'],
})

/** An API that accepts access tokens, under a name of its own (`resource`, RFC 8707). */
export const resource = z.object({
  resource_id: f.id,
  /** `resource` of a request and `aud` of the token. */
  identifier: z.string(),
  name: z.string(),
  /** Scopes of the app that a token for this API may contain. */
  scopes: z.array(z.string()),
  created_at: f.time,
})
export type Resource = z.output<typeof resource>

export const listResources = route('GET', '/client/:id/resources', {
  summary: 'List the API identifiers of an app, oldest first.',
  needs: 'member',
  params: clientParams,
  data: z.array(resource),
  problems: ['not_found'],
})

export const addResource = route('POST', '/client/:id/resources', {
  summary:
    'Add an API identifier. Tokens that are requested with this `resource` are JWTs with this audience and some of these scopes.',
  needs: 'developer',
  status: 201,
  params: clientParams,
  body: z.object({
    identifier: f.resourceIdentifier,
    name: f.entityName,
    /** Scopes that the app defines. */
    scopes: z.array(f.scopeKey).min(1).max(LIMITS.scopes_per_client),
  }),
  data: resource,
  problems: ['not_found', 'unknown_scope', 'resource_taken', 'too_many_resources'],
})

export const removeResource = route('DELETE', '/client/:id/resources/:resource_id', {
  summary: 'Remove an API identifier. No token is issued for it any more.',
  needs: 'developer',
  params: z.object({ id: f.id, resource_id: f.id }),
  data: f.nothing,
  problems: ['not_found'],
})

/** A scope with texts in one language. */
export const describedScope = z.object({
  key: f.scopeKey,
  title: z.string(),
  description: z.string(),
  sensitive: z.boolean(),
  required: z.boolean(),
  /** Language of title and description; null when the scope has no texts and the title is its key. */
  language: f.locale.nullable(),
  /** The client that defines it; absent for standard scopes. */
  client: clientCard.pick({ client_id: true, name: true, icon: true }).optional(),
})
export type DescribedScope = z.output<typeof describedScope>

const inLanguage = { language: f.locale.optional() }

export const listRequestedScopes = route('GET', '/client/:id/asked-scopes', {
  summary: 'List the scopes that an app requests, with texts in `language` or else in the language of the caller.',
  needs: 'member',
  params: clientParams,
  query: z.object(inLanguage),
  data: z.array(describedScope),
  problems: ['not_found'],
})

/** A node in the tree of all scopes. Not every node is a scope: `notes` of `notes.read` is a branch. */
export const scopeNode = describedScope.extend({
  /** Whether the node is a scope. */
  defined: z.boolean(),
  /** Number of direct children. */
  children: z.number().int(),
})
export type ScopeNode = z.output<typeof scopeNode>

const explorerCall = {
  needs: 'member',
  page: true,
  query: z.object({
    /** Only scopes whose key, title or description in any language contains this. */
    query: f.line(100).optional(),
    ...inLanguage,
    ...f.cursorQuery,
  }),
  data: z.array(scopeNode),
  problems: ['not_found'],
} as const

export const exploreChildren = route('GET', '/client/explore/scopes/:path', {
  ...explorerCall,
  summary: 'List the direct children of a node in the tree of all scopes; the same as mode `direct-children`.',
  params: z.object({ path: f.scopeKey }),
})

export const exploreScopes = route('GET', '/client/explore/scopes/:path/:mode', {
  ...explorerCall,
  summary:
    'Explore the tree of all scopes from `root` or a dotted path: direct children, all scopes below, or the node itself.',
  params: z.object({ path: f.scopeKey, mode: z.enum(EXPLORE_MODES) }),
})

export const exploreClients = route('GET', '/client/explore/:query', {
  summary: 'List the apps whose name contains the query, by name; `scope_prefix` is the branch of their scopes.',
  needs: 'member',
  page: true,
  params: z.object({ query: f.line(100) }),
  query: z.object({ ...f.cursorQuery }),
  data: z.array(
    z.object({
      client_id: f.id,
      name: z.string(),
      icon: f.picture,
      developer: z.object({ name: z.string() }),
      scope_prefix: z.string().nullable(),
    }),
  ),
})
