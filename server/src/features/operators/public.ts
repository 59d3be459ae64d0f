export {
  findOperatorAccess,
  findOperatorRole,
  giveRole,
  isAdmin,
  listOperatorIds,
  listOperators,
  removeRole,
  requireAdminWhoCanSignIn,
  requireOtherAdmin,
} from './operators.ts'
export { issueSetupLink } from './setup.ts'
