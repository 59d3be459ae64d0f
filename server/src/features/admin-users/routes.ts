import { adminUsers } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { disableUser, enableUser, endUserSessions, sendPasswordReset, unlockUser } from './help-person.ts'
import { getAdminUser, listAdminUsers } from './list-people.ts'

/** People of the installation, for its operators (operators §2). */
export const routes: RouteHandler[] = [
  serve(adminUsers.listAdminUsers, listAdminUsers),
  serve(adminUsers.getAdminUser, getAdminUser),
  serve(adminUsers.disableUser, disableUser),
  serve(adminUsers.enableUser, enableUser),
  serve(adminUsers.endUserSessions, endUserSessions),
  serve(adminUsers.unlockUser, unlockUser),
  serve(adminUsers.sendPasswordReset, sendPasswordReset),
]
