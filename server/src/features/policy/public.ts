export { POLICY_CHANNEL, POLICY_SETTING, PolicyCache } from './policy-cache.ts'
export { publicPart } from './update-policy.ts'
