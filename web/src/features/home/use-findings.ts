import { useQuery } from '@tanstack/react-query'
import type { UserInfo } from '@vrata/contract/account'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { connectedApps, openSessions } from './queries.ts'
import { type Finding, securityFindings } from './security-findings.ts'

/** Findings of the security check, worst first. */
export function useFindings(user: UserInfo): Finding[] {
  const context = useAppContext()
  const sessions = useQuery(openSessions(context)).data ?? []
  const apps = useQuery(connectedApps(context)).data ?? []
  return securityFindings({ user, sessions, apps, now: useI18n().format.now() })
}
