import { z } from 'zod'
import * as f from './fields.ts'
import { LIMITS } from './limits.ts'
import { bringsPicture } from './media.ts'
import { route } from './route.ts'

export const developer = z.object({
  developer_id: f.id,
  name: z.string(),
  logo: f.picture,
  website: z.string().nullable(),
  description: z.string().nullable(),
  company: z.string().nullable(),
  permission: f.level,
  created_at: f.time,
})
export type Developer = z.output<typeof developer>

const details = {
  website: f.pageUrl.nullable().optional(),
  description: f.text(LIMITS.description_max).nullable().optional(),
  company: f.line(200).nullable().optional(),
}

export const createDeveloper = route('POST', '/developer', {
  summary: 'Create a developer account; you are its owner and it becomes current.',
  needs: 'session',
  status: 201,
  body: z.object({ name: f.entityName, ...details }),
  data: developer,
  problems: ['email_not_verified'],
})

export const getDeveloper = route('GET', '/developer', {
  summary: 'The current developer account.',
  needs: 'member',
  data: developer,
})

export const updateDeveloper = route('PUT', '/developer', {
  summary: 'Edit the current developer account.',
  needs: 'admin',
  body: z.object({ name: f.entityName.optional(), ...details }),
  data: developer,
})

export const deleteDeveloper = route('DELETE', '/developer', {
  summary: 'Delete the current developer account with all its apps; the name is typed again.',
  needs: 'owner',
  fresh: true,
  body: z.object({ name: z.string().max(LIMITS.name_max) }),
  data: f.nothing,
  problems: ['name_mismatch'],
})

export const setLogo = route('PUT', '/developer/logo', {
  summary: 'A new logo: JPEG, PNG, WebP, AVIF or GIF, at most 10 MB and 50 megapixels; shown whole.',
  needs: 'admin',
  multipart: 'logo',
  ...bringsPicture,
  data: developer,
})

export const removeLogo = route('DELETE', '/developer/logo', {
  summary: 'No logo any more.',
  needs: 'admin',
  data: developer,
})

/** What can be done in an organisation (api.md §5). Each has its sentence in the phrases. */
export const DEVELOPER_ACTIVITY_TYPES = [
  'CREATED_DEVELOPER',
  'EDITED_DEVELOPER',
  'CHANGED_LOGO',
  'INVITED_MEMBER',
  'WITHDREW_INVITATION',
  'JOINED',
  'CHANGED_LEVEL',
  'REMOVED_MEMBER',
  'LEFT',
  'CREATED_APP',
  'EDITED_APP',
  'CHANGED_ICON',
  'DISABLED_APP',
  'ENABLED_APP',
  'DELETED_APP',
  'CHANGED_APP_SCOPES',
  'CHANGED_ADVANCED',
  'ADDED_REDIRECT_URI',
  'REMOVED_REDIRECT_URI',
  'ADDED_ORIGIN',
  'REMOVED_ORIGIN',
  'REGENERATED_SECRET',
  'DEFINED_SCOPE',
  'REMOVED_SCOPE',
  'BLOCKED_USER',
  'UNBLOCKED_USER',
  'EXPORTED_USERS',
] as const
export type DeveloperActivityType = (typeof DEVELOPER_ACTIVITY_TYPES)[number]

export const developerActivity = z.object({
  id: f.id,
  type: z.enum(DEVELOPER_ACTIVITY_TYPES),
  created_at: f.time,
  /** Null for somebody whose account is gone. */
  user: z.object({ id: f.id, name: z.string(), profile_picture: f.picture }).nullable(),
  /** The app it was about, while it exists. */
  app: z.object({ client_id: f.id, name: z.string(), icon: f.picture }).nullable(),
  /**
   * What was named at the time: names, addresses, levels; `fields` are the changed ones, with spaces between. `user` is
   * the id of somebody who was blocked, and `name` what the organisation may call them now.
   */
  params: z.record(z.string(), z.string()),
})
export type DeveloperActivity = z.output<typeof developerActivity>

export const listDeveloperActivity = route('GET', '/developer/activity', {
  summary: 'What was done in the current developer account and by whom, newest first. It can only grow.',
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
