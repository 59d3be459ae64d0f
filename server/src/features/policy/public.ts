export { countAffected } from './affected.ts'
export { POLICY_CHANNEL, POLICY_SETTING, PolicyCache } from './policy-cache.ts'
export {
  findStored as findStoredPolicy,
  findStoredForUpdate as findStoredPolicyForUpdate,
  type PolicyPlan,
  planPolicy,
  publicPart,
  requirePossible as requirePossiblePolicy,
  writePolicy,
} from './update-policy.ts'
