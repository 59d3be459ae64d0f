import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { scopeText } from './connections.ts'

/** A user who is connected to a client of the developer account, with only what the granted scopes make visible. */
export const developerUser = z.object({
  /** The account: the `sub` in tokens of apps with public subjects (OpenID Connect Core §8). */
  id: f.id,
  /** With `profile`. */
  name: z.string().optional(),
  /** With `profile`. */
  profile_picture: f.picture.optional(),
  /** With `email`. */
  email: z.string().optional(),
  /** Newest first. */
  clients: z.array(
    z.object({
      client_id: f.id,
      name: z.string(),
      icon: f.picture,
      connected_at: f.time,
      last_used_at: f.time.nullable(),
    }),
  ),
  blocked: z.boolean(),
})
export type DeveloperUser = z.output<typeof developerUser>

const filter = {
  /** Beginnings of words of name, user name and email address, in any order; or a whole id. */
  query: f.line(LIMITS.search_max).optional(),
  /** Only users of this client, with what they granted this client. */
  client_id: f.id.optional(),
  /** Only blocked users, or only others. */
  blocked: f.flag.optional(),
}

/** By the first connection to an app, or by name. Users who do not share their name come last. */
export const USER_SORTS = ['newest', 'oldest', 'name'] as const
export type UserSort = (typeof USER_SORTS)[number]

/** A user with the granted scopes and the last sign-ins. */
export const developerUserDetails = developerUser.extend({
  /** `sub`: that of the user in tokens of the app. */
  clients: z.array(developerUser.shape.clients.element.extend({ sub: f.id, scopes: z.array(scopeText) })),
  /** Sign-ins to clients of the developer account, newest first. */
  sign_ins: z.array(z.object({ client_id: f.id, at: f.time })),
})
export type DeveloperUserDetails = z.output<typeof developerUserDetails>

export const listUsers = route('GET', '/developer/users', {
  summary:
    'List the users who are connected to apps of the developer account, newest first; search results by matching term.',
  needs: 'analyst',
  replica: true,
  page: true,
  query: z.object({
    ...f.cursorQuery,
    ...filter,
    /** Without `query` only. */
    sort: z.enum(USER_SORTS).default('newest'),
  }),
  data: z.array(developerUser),
  problems: ['not_found'],
})

export const countUsers = route('GET', '/developer/users/count', {
  summary: 'Count the users whom the list with this filter contains, up to 10,000, search results up to 1,000.',
  needs: 'analyst',
  replica: true,
  query: z.object(filter),
  data: z.object({ count: z.number().int(), more: z.boolean().meta({ description: 'There are more than counted.' }) }),
  problems: ['not_found'],
})

export const getUser = route('GET', '/developer/users/:id', {
  summary: 'Get a user: what they share with each app of the developer account, and their last sign-ins.',
  needs: 'analyst',
  params: z.object({ id: f.id }),
  data: developerUserDetails,
  problems: ['not_found'],
})

/** POST, because it records a developer activity. */
export const exportUser = route('POST', '/developer/users/:id/export', {
  summary: 'Export what the developer account sees of a user: the same as `GET /developer/users/{id}`, and recorded.',
  needs: 'analyst',
  params: z.object({ id: f.id }),
  data: developerUserDetails,
  problems: ['not_found'],
})

export const setUserBlocked = route('PUT', '/developer/users/:id', {
  summary: 'Block or unblock a user for all apps of the developer account. Blocking revokes their tokens at once.',
  needs: 'moderator',
  params: z.object({ id: f.id }),
  body: z.object({ blocked: z.boolean() }),
  data: developerUser,
  problems: ['not_found'],
})

/** POST, because it records a developer activity. */
export const exportUsers = route('POST', '/developer/users/export', {
  summary: 'Export all users as CSV (RFC 4180, UTF-8).',
  needs: 'analyst',
  file: 'text/csv; charset=utf-8',
  body: z.object(filter),
  data: z.unknown(),
  problems: ['not_found'],
})
