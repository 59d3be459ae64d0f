export {
  findOperatorAccess,
  findOperatorRole,
  giveRole,
  listOperators,
  requireAdminWhoCanSignIn,
  requireOtherAdmin,
  takeRole,
} from './operators.ts'
export { issueSetupLink } from './setup.ts'
