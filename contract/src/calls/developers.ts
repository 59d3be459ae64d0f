import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { approval } from './approval.ts'
import { pictureUpload } from './media.ts'

export const developer = z.object({
  developer_id: f.id,
  name: z.string(),
  logo: f.picture,
  website: z.string().nullable(),
  description: z.string().nullable(),
  company: z.string().nullable(),
  permission: f.level,
  ...approval,
  created_at: f.time,
})
export type Developer = z.output<typeof developer>

const details = {
  website: f.pageUrl.nullable().optional(),
  description: f.text(LIMITS.description_max).nullable().optional(),
  company: f.line(200).nullable().optional(),
}

export const createDeveloper = route('POST', '/developer', {
  summary:
    'Create a developer account. The user becomes its owner, and it becomes the current developer account. It may wait for approval, as the policy says.',
  needs: 'session',
  status: 201,
  body: z.object({ name: f.entityName, ...details }),
  data: developer,
  problems: ['second_factor_required', 'email_not_verified', 'limit_reached', 'organization_creation_closed'],
})

export const getDeveloper = route('GET', '/developer', {
  summary: 'Get the current developer account.',
  needs: 'member',
  data: developer,
})

export const updateDeveloper = route('PUT', '/developer', {
  summary: 'Update the current developer account.',
  needs: 'admin',
  unapproved: true,
  body: z.object({ name: f.entityName.optional(), ...details }),
  data: developer,
})

export const deleteDeveloper = route('DELETE', '/developer', {
  summary: 'Delete the current developer account with all its apps. `name` repeats its name as confirmation.',
  needs: 'owner',
  unapproved: true,
  fresh: true,
  body: z.object({ name: f.exactly(LIMITS.search_max) }),
  data: f.nothing,
  problems: ['name_mismatch'],
})

export const setLogo = route('PUT', '/developer/logo', {
  summary: 'Set the logo: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels; not cropped.',
  needs: 'admin',
  unapproved: true,
  multipart: 'logo',
  ...pictureUpload,
  data: developer,
})

export const removeLogo = route('DELETE', '/developer/logo', {
  summary: 'Remove the logo.',
  needs: 'admin',
  unapproved: true,
  data: developer,
})

export const requestApproval = route('POST', '/developer/approval', {
  summary: 'Ask once more to approve a rejected developer account. One that waits or is approved stays as it is.',
  needs: 'admin',
  unapproved: true,
  data: developer,
})

/** Types of developer activity (api §5.6). The phrases have a sentence for each. */
export const DEVELOPER_ACTIVITY_TYPES = [
  'CREATED_DEVELOPER',
  'EDITED_DEVELOPER',
  'REQUESTED_APPROVAL',
  'CHANGED_LOGO',
  'INVITED_MEMBER',
  'WITHDREW_INVITATION',
  'JOINED',
  'CHANGED_LEVEL',
  'REMOVED_MEMBER',
  'LEFT',
  'CREATED_APP',
  'EDITED_APP',
  'REQUESTED_APP_APPROVAL',
  'CHANGED_ICON',
  'DISABLED_APP',
  'ENABLED_APP',
  'DELETED_APP',
  'CHANGED_APP_SCOPES',
  'CHANGED_APP_ACCESS',
  'CHANGED_ADVANCED',
  'ADDED_REDIRECT_URI',
  'REMOVED_REDIRECT_URI',
  'ADDED_ORIGIN',
  'REMOVED_ORIGIN',
  'REGENERATED_SECRET',
  'DEFINED_SCOPE',
  'REMOVED_SCOPE',
  'ADDED_RESOURCE',
  'REMOVED_RESOURCE',
  'BLOCKED_USER',
  'UNBLOCKED_USER',
  'EXPORTED_USERS',
] as const
export type DeveloperActivityType = (typeof DEVELOPER_ACTIVITY_TYPES)[number]

export const developerActivity = z.object({
  id: f.id,
  type: z.enum(DEVELOPER_ACTIVITY_TYPES),
  created_at: f.time,
  /** Null when the account is deleted. */
  user: z.object({ id: f.id, name: z.string(), profile_picture: f.picture }).nullable(),
  /** The client that the activity concerns; null when it is deleted. */
  app: z.object({ client_id: f.id, name: z.string(), icon: f.picture }).nullable(),
  /**
   * Names, addresses and levels as they were at that time. `fields`: changed fields, separated by spaces. `user`: id of a
   * blocked user, and `name` what the developer account may see of them now.
   */
  params: z.record(z.string(), z.string()),
})
export type DeveloperActivity = z.output<typeof developerActivity>

export const listDeveloperActivity = route('GET', '/developer/activity', {
  summary: 'List the activity of the current developer account, newest first. Entries are never changed or deleted.',
  needs: 'moderator',
  page: true,
  query: z.object({
    type: z.enum(DEVELOPER_ACTIVITY_TYPES).optional(),
    user_id: f.id.optional(),
    client_id: f.id.optional(),
    ...f.cursorQuery,
  }),
  data: z.array(developerActivity),
})
