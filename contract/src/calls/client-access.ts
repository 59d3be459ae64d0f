import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { groupKey } from './groups.ts'

/** People who may use an app: everyone, members of groups of the installation, or the people with listed addresses. */
export const ACCESS_MODES = ['everyone', 'groups', 'people'] as const
export type AccessMode = (typeof ACCESS_MODES)[number]

/** The access rule as members or operators set it. A list that belongs to another mode must be empty. */
export const access = z.object({
  mode: z.enum(ACCESS_MODES),
  /** Keys of groups. One that is deleted later is taken from the list. */
  groups: z.array(groupKey).max(LIMITS.access_groups).default([]),
  /** Confirmed addresses. Whether one belongs to an account is not revealed. */
  people: z.array(f.email).max(LIMITS.access_people).default([]),
})
export type Access = z.output<typeof access>

const params = z.object({ id: f.id })

export const getAccess = route('GET', '/client/:id/access', {
  summary: 'Get who may use an app.',
  needs: 'admin',
  params,
  data: access,
  problems: ['not_found'],
})

export const setAccess = route('PUT', '/client/:id/access', {
  summary: 'Set who may use an app. The tokens of everybody else end at once.',
  needs: 'admin',
  params,
  body: access,
  data: access,
  problems: ['not_found'],
})
