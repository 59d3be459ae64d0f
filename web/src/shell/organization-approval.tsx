import * as developers from '@vrata/contract/developers'
import { useAppContext } from '../lib/app-context.tsx'
import { ApprovalCard } from '../lib/approval/approval-card.tsx'
import { can, currentDeveloper } from '../lib/organizations/allowed-calls.ts'
import { loadUser, useUser } from '../lib/session.ts'

/** Above the pages of an organization that is not approved. */
export function OrganizationApproval() {
  const context = useAppContext()
  const user = useUser()
  const { approval, approval_reason } = currentDeveloper(user) ?? {}
  if (!approval) return null
  const ask = can(user, developers.requestApproval) ? () => context.api(developers.requestApproval) : undefined
  return (
    <div className="mb-6 max-w-240">
      <ApprovalCard
        kind="organization"
        approval={approval}
        reason={approval_reason ?? null}
        onAsk={ask}
        onAsked={() => void loadUser(context)}
      />
    </div>
  )
}
