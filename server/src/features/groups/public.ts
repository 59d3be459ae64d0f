export { addToGroup, addToGroups } from './members.ts'
export { listGroupsOf } from './store.ts'
