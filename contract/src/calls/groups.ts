import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'

/** Key of a group, which apps read in the claim `groups`. It never changes, because apps decide by it. */
export const groupKey = z
  .string()
  .min(1)
  .max(LIMITS.group_key_max)
  .regex(/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/, 'invalid')

const name = f.line(LIMITS.name_max, 1)
const description = f.line(LIMITS.description_max)

export const group = z.object({
  key: groupKey,
  name: z.string(),
  description: z.string(),
  /** Number of members. */
  members: z.number().int(),
  created_at: f.time,
})
export type Group = z.output<typeof group>

export const groupMember = z.object({
  user: z.object({
    id: f.id,
    ...f.person,
  }),
  added_at: f.time,
})
export type GroupMember = z.output<typeof groupMember>

const params = z.object({ key: groupKey })

export const listGroups = route('GET', '/admin/groups', {
  summary: 'List the groups of the installation by key, or those whose key, name or description contain a text.',
  needs: 'operator:auditor',
  page: true,
  query: z.object({ ...f.cursorQuery, query: f.line(LIMITS.search_max).optional() }),
  data: z.array(group),
})

export const createGroup = route('POST', '/admin/groups', {
  summary: 'Create a group. Its key is what apps read in the claim `groups`, and cannot be changed.',
  needs: 'operator:admin',
  fresh: true,
  status: 201,
  body: z.object({ key: groupKey, name, description: description.optional() }),
  data: group,
  problems: ['group_exists', 'limit_reached'],
})

export const getGroup = route('GET', '/admin/groups/:key', {
  summary: 'Get a group.',
  needs: 'operator:auditor',
  params,
  data: group,
})

export const updateGroup = route('PUT', '/admin/groups/:key', {
  summary: 'Change name or description of a group.',
  needs: 'operator:admin',
  fresh: true,
  params,
  body: z.object({ name: name.optional(), description: description.optional() }),
  data: group,
})

export const deleteGroup = route('DELETE', '/admin/groups/:key', {
  summary: 'Delete a group. Its members lose it at once.',
  needs: 'operator:admin',
  fresh: true,
  params,
  data: f.nothing,
})

export const listGroupMembers = route('GET', '/admin/groups/:key/members', {
  summary: 'List the members of a group, newest account first, or those who match a search.',
  needs: 'operator:auditor',
  page: true,
  params,
  query: z.object({
    ...f.cursorQuery,
    /** Beginnings of words of name, user name and address, in any order. */
    query: f.line(LIMITS.search_max).optional(),
  }),
  data: z.array(groupMember),
})

export const addGroupMember = route('POST', '/admin/groups/:key/members', {
  summary:
    'Add a person to a group. Adding a member again changes nothing. A person who has registered needs a confirmed address.',
  needs: 'operator:admin',
  fresh: true,
  status: 201,
  params,
  body: z.object({ user_id: f.id }),
  data: groupMember,
  problems: ['email_not_verified'],
})

export const removeGroupMember = route('DELETE', '/admin/groups/:key/members/:user_id', {
  summary: 'Remove a person from a group.',
  needs: 'operator:admin',
  fresh: true,
  params: params.extend({ user_id: f.id }),
  data: f.nothing,
})
