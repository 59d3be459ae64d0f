import { useLocation } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { ADMIN_MENU } from './menu/admin-menu.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** Shell of the pages of operators. */
export function AdminShell() {
  const wide = useLocation({ select: ({ pathname }) => pathname === paths.adminLook })
  return <SignedInShell mode="user" entries={ADMIN_MENU} wide={wide} />
}
