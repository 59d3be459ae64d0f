export { PolicyCache } from './policy-cache.ts'
export { publicPart } from './update-policy.ts'
