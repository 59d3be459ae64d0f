export { changeAccess, onGroupChanged } from './access.ts'
export { accessRule, findClientsWithPeople, hasAccess } from './store.ts'
