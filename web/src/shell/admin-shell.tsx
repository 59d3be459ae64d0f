import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import * as system from '@vrata/contract/system'
import { callQuery } from '../lib/api/call-query.ts'
import { useAppContext } from '../lib/app-context.tsx'
import { ADMIN_MENU } from './menu/admin-menu.ts'
import { SignedInShell } from './signed-in-shell.tsx'

/** Shell of the pages of operators; the menu says how many wait for approval. */
export function AdminShell() {
  const wide = useLocation({ select: ({ pathname }) => pathname === paths.adminLook })
  const { data } = useQuery(callQuery(useAppContext(), system.getWaitingApprovals, {}))
  const waiting: Record<string, number | undefined> = {
    [paths.adminOrganizations]: data?.organizations,
    [paths.adminApps]: data?.clients,
  }
  const entries = ADMIN_MENU.map((entry) => ({ ...entry, waiting: waiting[entry.href] }))
  return <SignedInShell mode="user" entries={entries} wide={wide} />
}
