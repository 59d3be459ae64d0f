/**
 * Sample programs that sign a user in, filled with the settings of a client. Owns no table.
 *
 * /client/:id/quick-start
 */
import { quickStart } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { listQuickStarts } from './quick-start.ts'

export const routes: RouteHandler[] = [serve(quickStart.listQuickStarts, listQuickStarts)]
