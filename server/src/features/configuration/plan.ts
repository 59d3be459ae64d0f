import type { configuration, InputOf } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import { type BrandingPlan, brandingColumns, planBranding } from '../branding/public.ts'
import { type PolicyPlan, planPolicy, requirePossiblePolicy } from '../policy/public.ts'
import { brandingChanges, groupChanges, policyChanges } from './differences.ts'
import type { PictureChange } from './pictures.ts'
import { type GroupPlan, planGroups } from './plan-groups.ts'

export type Sent = Omit<InputOf<typeof configuration.updateConfiguration>, 'dry_run'>

/** The current state, locked or not. */
export interface Present {
  policy: Parameters<typeof planPolicy>[1]
  branding: Parameters<typeof planBranding>[0]
}

/** The installation as a document changes it. */
export interface Plan {
  changes: configuration.Change[]
  policy: PolicyPlan
  branding: BrandingPlan
  groups: GroupPlan[]
}

/** Compares a document with what is there. Throws what the calls of the parts throw, with the path in the document. */
export async function plan(
  deps: Pick<AppDeps, 'db' | 'policy' | 'secondFactors'>,
  { policy: settings = {}, branding: look = {}, groups: sent = [] }: Sent,
  present: Present,
  pictures: readonly PictureChange[],
): Promise<Plan> {
  const policy = planPolicy(deps, present.policy, settings)
  await requirePossiblePolicy(deps, policy, 'policy.')
  const { logo: _, logo_dark: __, icon: ___, ...texts } = look
  const files = Object.fromEntries(pictures.map(({ name, file }) => [name, file]))
  const branding = planBranding(present.branding, { ...brandingColumns(texts), ...files }, 'branding.')
  const groups = await planGroups(deps.db, sent)
  const changes = [
    ...policyChanges(policy.before, policy.after),
    ...brandingChanges(branding.before, branding.after, pictures),
    ...groups.flatMap(groupChanges),
  ]
  return { changes, policy, branding, groups }
}
