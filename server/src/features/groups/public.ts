export { addToGroup } from './members.ts'
export { listGroupsOf } from './store.ts'
