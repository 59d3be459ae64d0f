import { useUser } from '../lib/session.ts'
import { developerMenu } from './menu/menu.ts'
import { OrganizationApproval } from './organization-approval.tsx'
import { SignedInShell } from './signed-in-shell.tsx'

/** Shell of the developer pages. */
export function DeveloperShell() {
  const user = useUser()
  return (
    <SignedInShell
      mode="developer"
      entries={user.developer_id ? developerMenu(user, user.developer_id) : []}
      notice={<OrganizationApproval />}
    />
  )
}
