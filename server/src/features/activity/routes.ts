import { activity } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { listActivity } from './list-activity.ts'

/** Activity of the account (product §3.7, api §3.6). Other features insert rows with `recordActivity`. */
export const routes: RouteHandler[] = [serve(activity.listActivity, listActivity)]
