import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'

/** Statistics of one UTC day. */
const dailyStatistics = z.object({
  day: z.string().meta({ format: 'date' }),
  /** Sign-ins; without silent authentication requests and refreshed tokens. */
  sign_ins: z.number().int(),
  /** Users who signed in or whose tokens were refreshed, each counted once a day. */
  active_users: z.number().int(),
})
export type DailyStatistics = z.output<typeof dailyStatistics>

const query = z.object({ days: f.integerText(z.number().int().min(1).max(LIMITS.statistics_days).default(30)) })

/** Every day of the period, oldest first, today last; days without events have zeros. */
const data = z.array(dailyStatistics)

export const getClientStatistics = route('GET', '/client/:id/statistics', {
  summary: 'Get sign-ins and active users of an app by UTC day, today last.',
  needs: 'analyst',
  replica: true,
  params: z.object({ id: f.id }),
  query,
  data,
  problems: ['not_found'],
})

export const getDeveloperStatistics = route('GET', '/developer/statistics', {
  summary: 'Get sign-ins and active users of all apps of the developer account by UTC day, today last.',
  needs: 'analyst',
  replica: true,
  query,
  data,
})
