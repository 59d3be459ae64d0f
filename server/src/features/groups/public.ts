export { DELETE_GROUP_JOB, deleteGroupJob, pruneDeletedGroups } from './deleted-group.ts'
export { areGroupsChanging, currentGroups } from './group-keys-store.ts'
export { writeNewGroup, writeTexts as writeGroupTexts } from './groups.ts'
export {
  addToGroup,
  addToGroups,
  removeMembers as removeGroupMembers,
  writeMembers as writeGroupMembers,
} from './members.ts'
export {
  findExistingGroupsForShare,
  findGroupForUpdate,
  listGroups as listGroupRows,
  listGroupsOf,
  listMemberAddresses,
} from './store.ts'
