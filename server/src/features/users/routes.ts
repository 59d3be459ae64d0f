/**
 * Users of a developer account: all users connected to one of its clients. Reads the tables `developer_users` and
 * `user_terms` of the feature `connections`, and owns none.
 *
 * /developer/users[/:id]              list, search, details, block
 * /developer/users/count              number of users of a filter
 * /developer/users[/:id]/export       all as CSV, one as JSON
 */
import { users } from '@vrata/contract'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { setUserBlocked } from './block-user.ts'
import { exportUsers } from './export.ts'
import { countUsers, listUsers } from './list-users.ts'
import { exportUser, getUser } from './user-details.ts'

export const routes: RouteHandler[] = [
  serve(users.listUsers, listUsers),
  serve(users.countUsers, countUsers),
  serve(users.getUser, getUser),
  serve(users.setUserBlocked, setUserBlocked),
  serveOpen(users.exportUsers, exportUsers),
  serve(users.exportUser, exportUser),
]
