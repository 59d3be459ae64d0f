import { activity } from '@vrata/contract'
import { type Served, serve } from '../../edge/serve.ts'
import { listActivity } from './list.ts'

/**
 * What happened with an account: signed in, password changed, app allowed (specification §3, "User activity types").
 * Owns the table `activities`, which only grows; everybody writes through `record` at the door.
 *
 * GET /v1/account/activity
 */
export const routes: Served[] = [serve(activity.listActivity, listActivity)]
