import { z } from 'zod'
import * as f from './fields.ts'
import { LIMITS } from './limits.ts'
import { route } from './route.ts'

/** One day of UTC, whatever the clocks of those who look say. */
const dayFigures = z.object({
  day: z.string().meta({ format: 'date' }),
  /** Sign-ins to the app; silent checks and renewed tokens are none. */
  sign_ins: z.number().int(),
  /** People who signed in, or whose app renewed its tokens; each once a day. */
  active_users: z.number().int(),
})
export type DayFigures = z.output<typeof dayFigures>

const query = z.object({ days: z.coerce.number().int().min(1).max(LIMITS.statistics_days).default(30) })

/** Every day of the last `days`, oldest first, today last; a day on which nothing happened has zeros. */
const data = z.array(dayFigures)

export const clientStatistics = route('GET', '/client/:id/statistics', {
  summary: 'Sign-ins to an app and its active users, by day (UTC), today last.',
  needs: 'analyst',
  params: z.object({ id: f.id }),
  query,
  data,
  problems: ['not_found'],
})

export const developerStatistics = route('GET', '/developer/statistics', {
  summary: 'Sign-ins to all apps of the developer account and their active users, by day (UTC), today last.',
  needs: 'analyst',
  query,
  data,
})
