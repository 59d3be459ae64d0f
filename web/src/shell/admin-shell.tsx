import { ADMIN_MENU } from './menu/admin-menu.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** Shell of the pages of operators. */
export function AdminShell() {
  return <SignedInShell mode="user" entries={ADMIN_MENU} />
}
