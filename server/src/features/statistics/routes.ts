/**
 * Sign-ins and active users by day. Owns the tables `client_days` and `developer_days`.
 *
 * /client/:id/statistics    of one client
 * /developer/statistics     of all clients of a developer account
 */
import { statistics } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { getClientStatistics, getDeveloperStatistics } from './statistics.ts'

export const routes: RouteHandler[] = [
  serve(statistics.getClientStatistics, getClientStatistics),
  serve(statistics.getDeveloperStatistics, getDeveloperStatistics),
]
