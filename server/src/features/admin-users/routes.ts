import { adminUsers } from '@vrata/contract'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import type { ServedPlainPage } from '../../http/pages/plain-pages.ts'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { deleteUser, restoreUser } from './delete-person.ts'
import { createUser, updateUser } from './edit-person.ts'
import { disableUser, enableUser, endUserSessions, sendPasswordReset, unlockUser } from './help-person.ts'
import { keepFactorsForm, keepFactorsPage } from './keep-factors-page.ts'
import { getAdminUser, listAdminUsers } from './list-people.ts'
import { cancelFactorReset, checkFactorReset, keepFactors, resetFactors } from './reset-factors.ts'

/** People of the installation, for its operators (operators §2). */
export const routes: RouteHandler[] = [
  serve(adminUsers.listAdminUsers, listAdminUsers),
  serve(adminUsers.getAdminUser, getAdminUser),
  serve(adminUsers.createUser, createUser),
  serve(adminUsers.updateUser, updateUser),
  serve(adminUsers.deleteUser, deleteUser),
  serve(adminUsers.restoreUser, restoreUser),
  serve(adminUsers.disableUser, disableUser),
  serve(adminUsers.enableUser, enableUser),
  serve(adminUsers.endUserSessions, endUserSessions),
  serve(adminUsers.unlockUser, unlockUser),
  serve(adminUsers.sendPasswordReset, sendPasswordReset),
  serve(adminUsers.resetFactors, resetFactors),
  serve(adminUsers.cancelFactorReset, cancelFactorReset),
  serve(adminUsers.checkFactorReset, checkFactorReset),
  serve(adminUsers.keepFactors, keepFactors),
]

/** Pages that work without script. */
export const plainPages: ServedPlainPage[] = [keepFactorsPage]
export const forms: ServedForm[] = [keepFactorsForm]
