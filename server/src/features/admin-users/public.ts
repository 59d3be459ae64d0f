export { deleteUser, restoreUser } from './delete-person.ts'
export { createUser } from './edit-person.ts'
export { disableUser, enableUser, endUserSessions, sendPasswordReset, unlockUser } from './help-person.ts'
export { getAdminUser, listAdminUsers } from './list-people.ts'
export type { Helper } from './person-changes.ts'
export {
  pruneFactorResets,
  RESET_FACTORS_JOB,
  resetFactors,
  resetFactorsJob,
  revokeFactorResets,
} from './reset-factors.ts'
