export {
  findOperatorAccess,
  findOperatorRole,
  giveRole,
  isAdmin,
  listOperatorIds,
  listOperators,
  requireAdminWhoCanSignIn,
  requireOtherAdmin,
  takeRole,
} from './operators.ts'
export { issueSetupLink } from './setup.ts'
