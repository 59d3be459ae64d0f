export { addToGroup, addToGroups } from './members.ts'
export { findExistingGroupsForShare, listGroupsOf } from './store.ts'
