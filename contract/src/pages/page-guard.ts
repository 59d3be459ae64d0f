import type { UserInfo } from '../calls/account.ts'
import { atLeast, type Level } from '../levels.ts'
import { hasRole, type OperatorNeed, roleNeeded } from '../operator-roles.ts'
import { paths } from './page-addresses.ts'
import { safeRedirect } from './redirect.ts'

/** Access rules of a page. Every row of the route table (`web/src/routes.tsx`) states them. */
export type PageAccess = {
  /**
   * `nobody`: public. `session`: any signed-in user. A level: members of the current organization with that level. A role:
   * operators with it.
   */
  needs: 'nobody' | 'session' | Level | OperatorNeed
  /**
   * `login`: redirects signed-in users. `logout`: always open, and the user is not loaded. `consent`: public when the
   * query has `error`, because signing in would not correct an invalid request. `verify`: waits for the confirmation of the
   * address. `finish`: completes a sign-in.
   */
  role?: 'login' | 'logout' | 'consent' | 'verify' | 'finish'
  /** Requires a confirmed email address. */
  confirmed?: boolean
}

/** The requested address. */
export type PageAddress = {
  /** Path and query, beginning with a slash. */
  href: string
  query: { skip?: string; redirect?: string; prompt?: string; error?: string }
  /** The organization that the path names. */
  developer_id?: string
}

export type PageGuardResult =
  | { do: 'stay' }
  | { do: 'go'; to: string; because?: 'level' }
  /** Load the user, then call the guard again. */
  | { do: 'load-user' }
  /** Switch to the organization, then call the guard again; go to `otherwise` when that fails. */
  | { do: 'switch-developer'; developer_id: string; otherwise: string }

const stay: PageGuardResult = { do: 'stay' }
const go = (to: string): PageGuardResult => ({ do: 'go', to })

/**
 * The route guard (product §2): a pure function that runs before a page loads, never while it renders.
 *
 * @param user null for a visitor without a session, undefined while the user is not loaded
 */
export function pageGuard(page: PageAccess, address: PageAddress, user: UserInfo | null | undefined): PageGuardResult {
  const { href, query, developer_id } = address
  if (page.role === 'logout') return stay
  if (user === undefined && !query.skip) return { do: 'load-user' }

  const decided = sessionGuard(page, address, user ?? null)
  if (decided || !user) return decided ?? stay
  if (page.confirmed && !user.email_verified) return go(paths.verify(safeRedirect(href)))
  if (page.needs === 'session' || page.needs === 'nobody') return stay
  const role = roleNeeded(page.needs)
  if (role) {
    if (!hasRole(user.operator_role, role)) return go(paths.home)
    return user.otp_enabled || user.passkeys > 0 ? stay : go(paths.protectAccount)
  }

  if (developer_id && developer_id !== user.developer_id) {
    return { do: 'switch-developer', developer_id, otherwise: withoutDeveloper(href, developer_id) }
  }
  if (!user.developer_id) return go(paths.selectDeveloper(href))
  if (!developer_id) return go(href.replace(/^\/developers/, `/developers/${encodeURIComponent(user.developer_id)}`))
  return atLeast(user.permission, page.needs as Level) ? stay : { do: 'go', to: paths.home, because: 'level' }
}

/**
 * The part of the guard that depends only on whether there is a session: the server applies it before it sends a page.
 * Undefined when a page for signed-in users is opened by one.
 */
export function sessionGuard(
  page: PageAccess,
  { href, query }: Pick<PageAddress, 'href' | 'query'>,
  user: UserInfo | null,
): Extract<PageGuardResult, { do: 'stay' | 'go' }> | undefined {
  // A client may request a new sign-in of a signed-in user (`prompt=login`, OpenID Connect Core §3.1.2.1).
  const unfinished = Boolean(user?.next_step)
  if (page.role === 'login') {
    if (unfinished) return { do: 'go', to: paths.finishSignIn(safeRedirect(query.redirect)) }
    return user && query.prompt !== 'login' ? { do: 'go', to: safeRedirect(query.redirect) ?? '/' } : { do: 'stay' }
  }
  if (page.needs === 'nobody' || (page.role === 'consent' && query.error !== undefined)) return { do: 'stay' }
  if (page.role === 'finish' && user && !unfinished) return { do: 'go', to: safeRedirect(query.redirect) ?? '/' }
  if (unfinished && page.role !== 'finish' && page.role !== 'verify')
    return { do: 'go', to: paths.finishSignIn(safeRedirect(href)) }
  return user ? undefined : { do: 'go', to: paths.loginUnasked(safeRedirect(href)) }
}

function withoutDeveloper(href: string, developer_id: string): string {
  return href.replace(`/developers/${encodeURIComponent(developer_id)}`, '/developers')
}
