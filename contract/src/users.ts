import { z } from 'zod'
import * as f from './fields.ts'
import { LIMITS } from './limits.ts'
import { route } from './route.ts'

/** Somebody who is connected to an app of the organisation; of them, only what they allowed it to see. */
export const knownUser = z.object({
  /** The `sub` under which its apps know this person (OpenID Connect Core §2). */
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
export type KnownUser = z.output<typeof knownUser>

const filter = {
  /** Beginnings of a name, a user name or an address, in any order; or a whole id. */
  query: f.line(LIMITS.name_max).optional(),
  /** Only those of this app, with what they allowed this app. */
  client_id: f.id.optional(),
}

export const listUsers = route('GET', '/developer/users', {
  summary: 'Everybody who is connected to an app of the developer account, newest first; found ones by name.',
  needs: 'analyst',
  page: true,
  query: z.object({ ...f.cursorQuery, ...filter }),
  data: z.array(knownUser),
  problems: ['not_found'],
})

export const setUserBlocked = route('PUT', '/developer/users/:id', {
  summary: 'Block somebody from all apps of the developer account, or let them in again. Their tokens end at once.',
  needs: 'moderator',
  params: z.object({ id: f.id }),
  body: z.object({ blocked: z.boolean() }),
  data: knownUser,
  problems: ['not_found'],
})

/** No GET: it leaves a line in the activity of the organisation. */
export const exportUsers = route('POST', '/developer/users/export', {
  summary: 'The same people, all of them, as CSV (RFC 4180, UTF-8).',
  needs: 'analyst',
  file: 'text/csv; charset=utf-8',
  body: z.object(filter),
  data: z.unknown(),
  problems: ['not_found'],
})
