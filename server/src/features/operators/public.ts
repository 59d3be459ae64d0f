export {
  findOperatorAccess,
  findOperatorRole,
  giveRole,
  listOperators,
  requireOtherAdmin,
  takeRole,
} from './operators.ts'
export { issueSetupLink } from './setup.ts'
