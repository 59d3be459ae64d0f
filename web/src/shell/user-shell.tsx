import { USER_MENU } from './menu/menu.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** Shell of the user's pages. */
export function UserShell() {
  return <SignedInShell mode="user" entries={USER_MENU} />
}
