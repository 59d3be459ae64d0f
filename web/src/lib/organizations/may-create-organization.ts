import type { UserInfo } from '@vrata/contract/account'
import type { AppContext } from '../app-context.tsx'

/** Whether the policy allows the user to create an organization. */
export function mayCreateOrganization({ policy }: Pick<AppContext, 'policy'>, { operator_role }: UserInfo): boolean {
  return policy?.organization_creation !== 'operators' || operator_role === 'admin'
}
