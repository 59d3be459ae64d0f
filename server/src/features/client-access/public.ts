export { onAccountDeleted, onGroupChanged, writeAccess } from './access.ts'
export { accessRule, findAccess, findClientsWithPeople, hasAccess } from './store.ts'
