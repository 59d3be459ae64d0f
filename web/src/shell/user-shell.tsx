import { useUser } from '../lib/session.ts'
import { OPERATOR_ENTRY, USER_MENU } from './menu/menu.ts'
import { SecurityReview } from './security-review.tsx'
import { SignedInShell } from './signed-in-shell.tsx'

const OPERATOR_MENU = [...USER_MENU, OPERATOR_ENTRY]

/** Shell of the user's pages; operators find administration in its menu. */
export function UserShell() {
  return (
    <SignedInShell
      mode="user"
      entries={useUser().operator_role ? OPERATOR_MENU : USER_MENU}
      notice={<SecurityReview />}
    />
  )
}
