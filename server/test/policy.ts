import type { policy } from '@vrata/contract'
import { findStoredPolicyForUpdate, planPolicy, writePolicy } from '../src/features/policy/public.ts'
import type { TestServer } from './test-server.ts'

/** Changes the policy without an operator, whose sign-in would have to be fresh. */
export async function setPolicy(server: TestServer, settings: Partial<policy.Policy>): Promise<void> {
  await server.deps.transaction(async (deps) => {
    await writePolicy(deps, planPolicy(deps, await findStoredPolicyForUpdate(deps.db), settings))
  })
}
