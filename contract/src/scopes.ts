import { z } from 'zod'
import { clientCard } from './connections.ts'
import * as f from './fields.ts'
import { LIMITS } from './limits.ts'
import { LOCALES, type Locale } from './locales.ts'
import { route } from './route.ts'

/** First words of keys that no app can take: those of OpenID Connect, the product's own, and `root`, a path of the explorer. */
export const RESERVED_PREFIXES = [
  ...['account', 'address', 'email', 'offline_access', 'openid', 'phone', 'profile'],
  ...['admin', 'oauth', 'oidc', 'root', 'scope', 'vrata'],
] as const

/** What the explorer answers to (specification §7). */
export const EXPLORE_MODES = ['direct-children', 'all-children', 'self'] as const
export type ExploreMode = (typeof EXPLORE_MODES)[number]

/** People that are counted one by one; beyond, `more_people` says that there are more. */
export const COUNTED_PEOPLE = 10_000

const perLocale = <T extends z.ZodType>(text: T) =>
  z.object(Object.fromEntries(LOCALES.map((locale) => [locale, text.optional()])) as Record<Locale, z.ZodOptional<T>>)
const byLocale = z.partialRecord(f.locale, z.string())

/** A scope as the app that defines it sees it. A language without an entry in `title` is missing. */
export const definedScope = z.object({
  key: f.scopeKey,
  title: byLocale,
  description: byLocale,
  /** People are warned before they allow it, and it is never switched on beforehand. */
  sensitive: z.boolean(),
  /** Whoever lets an app have it cannot leave it out of what that app asks for. */
  required: z.boolean(),
  created_at: f.time,
})
export type DefinedScope = z.output<typeof definedScope>

const ofClient = z.object({ id: f.id })
const ofScope = z.object({ id: f.id, key: f.scopeKey })

export const listScopes = route('GET', '/client/:id/scopes', {
  summary: 'Scopes that an app defines, by key.',
  needs: 'member',
  params: ofClient,
  data: z.array(definedScope),
  problems: ['not_found'],
})

export const putScope = route('POST', '/client/:id/scopes', {
  summary:
    'Define a scope, or change one: texts that are given replace all former ones. The first key chooses the prefix of the app.',
  needs: 'developer',
  params: ofClient,
  body: z.object({
    key: f.definedKey,
    /** At least one language. */
    title: perLocale(f.line(LIMITS.scope_title_max)),
    description: perLocale(f.text(LIMITS.scope_description_max)).optional(),
    sensitive: z.boolean().optional(),
    required: z.boolean().optional(),
  }),
  data: definedScope,
  problems: ['not_found', 'prefix_taken', 'wrong_prefix', 'too_many_scopes'],
})

export const getScopeUse = route('GET', '/client/:id/scopes/:key', {
  summary: 'Whom it would hit if this scope were removed.',
  needs: 'member',
  params: ofScope,
  data: z.object({
    scope: definedScope,
    /** How many people allow some app this scope; counted up to 10 000. */
    people: z.number().int(),
    more_people: z.boolean(),
    /** Apps that ask for it, by name; the first 20. */
    apps: z.array(z.object({ client_id: f.id, name: z.string(), icon: f.picture })),
    more_apps: z.boolean(),
  }),
  problems: ['not_found'],
})

export const removeScope = route('DELETE', '/client/:id/scopes/:key', {
  summary:
    'Remove a scope: no app can ask for it any more, and what people allowed and tokens carry of it is gone at once.',
  needs: 'developer',
  params: ofScope,
  data: f.nothing,
  problems: ['not_found'],
})

/** A scope as people see it, with what a developer must know of it. */
export const shownScope = z.object({
  key: f.scopeKey,
  title: z.string(),
  description: z.string(),
  sensitive: z.boolean(),
  required: z.boolean(),
  /** The language of title and description; null where nothing is written, and the key stands for the title. */
  language: f.locale.nullable(),
  /** The app that defines it; the product's own have none. */
  client: clientCard.pick({ client_id: true, name: true, icon: true }).optional(),
})
export type ShownScope = z.output<typeof shownScope>

const inLanguage = { language: f.locale.optional() }

export const listAskedScopes = route('GET', '/client/:id/asked-scopes', {
  summary:
    'What an app may ask for, in the words that people read; in the language of the caller if no other is named.',
  needs: 'member',
  params: ofClient,
  query: z.object(inLanguage),
  data: z.array(shownScope),
  problems: ['not_found'],
})

/** A place in the tree of all scopes. Not every place is a scope that one can ask for: `notes` in `notes.read` is none. */
export const scopeNode = shownScope.extend({
  /** Whether it can be asked for. */
  defined: z.boolean(),
  /** How many places are directly below. */
  children: z.number().int(),
})
export type ScopeNode = z.output<typeof scopeNode>

const explored = {
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
  ...explored,
  summary: 'What stands directly below a place of the tree of all scopes; the same as mode `direct-children`.',
  params: z.object({ path: f.scopeKey }),
})

export const exploreScopes = route('GET', '/client/explore/scopes/:path/:mode', {
  ...explored,
  summary:
    'The tree of all scopes from `root` or a dotted path: its direct children, everything below it, or the place itself.',
  params: z.object({ path: f.scopeKey, mode: z.enum(EXPLORE_MODES) }),
})

export const exploreClients = route('GET', '/client/explore/:query', {
  summary: 'Apps whose name contains this, by name; `scope_prefix` is where their scopes stand in the tree.',
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
