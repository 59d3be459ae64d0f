import { useQuery } from '@tanstack/react-query'
import type { UserInfo } from '@vrata/contract/account'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { connectedApps, openSessions } from './queries.ts'
import { type Finding, securityFindings } from './security-findings.ts'

/** Findings of the security check, worst first. `state`: whether they are all, or the devices and apps are not known. */
export function useFindings(user: UserInfo) {
  const context = useAppContext()
  const sessions = useQuery(openSessions(context))
  const apps = useQuery(connectedApps(context))
  const now = useI18n().format.now()
  const findings: Finding[] = securityFindings({ user, sessions: sessions.data ?? [], apps: apps.data ?? [], now })
  const queries = [sessions, apps].filter(({ data }) => data === undefined)
  const state = queries.some(({ error }) => error) ? 'failed' : queries.length > 0 ? 'loading' : 'complete'
  return { findings, state, retry: () => void Promise.all(queries.map(({ refetch }) => refetch())) } as const
}
