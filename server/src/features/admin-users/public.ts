export { disableUser, enableUser, endUserSessions, type Helper, sendPasswordReset, unlockUser } from './help-person.ts'
export { getAdminUser, listAdminUsers } from './list-people.ts'
