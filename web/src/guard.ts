import { atLeast, type Level, safeRedirect } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { paths } from './paths.ts'

/** What the guard must know of the place somebody wants to go to. Every row of `routes.tsx` says it. */
export type Door = {
  /** `nobody` is public, `session` is for anybody signed in, a level is for members of an organisation. */
  needs: 'nobody' | 'session' | Level
  /**
   * `/login`: somebody signed in has no business there. `/logout`: always open, and nobody is asked for. The consent page:
   * what is wrong with a request is told to anybody, since signing in would not mend it.
   */
  role?: 'login' | 'logout' | 'consent'
  /** Closed until the email address is confirmed. */
  confirmed?: boolean
}

/** The address as the visitor wants it: path, query, and the developer segment when the path has one. */
export type Address = {
  /** Path and query, beginning with a slash. */
  href: string
  query: { skip?: string; redirect?: string; prompt?: string; error?: string }
  developer_id?: string
}

export type Verdict =
  | { do: 'stay' }
  | { do: 'go'; to: string; because?: 'level' }
  /** Ask the server who this is, then ask the guard again. */
  | { do: 'load-user' }
  /** Ask the server to switch, then ask again; if that fails, go to `otherwise`. */
  | { do: 'switch-developer'; developer_id: string; otherwise: string }

const stay: Verdict = { do: 'stay' }
const go = (to: string): Verdict => ({ do: 'go', to })

/**
 * The route guard of the specification §2: a pure function, run before a page loads and never while one renders.
 *
 * @param user the person, null for nobody, undefined while nobody has asked
 */
export function guard(door: Door, { href, query, developer_id }: Address, user: UserInfo | null | undefined): Verdict {
  if (door.role === 'logout') return stay
  if (user === undefined && !query.skip) return { do: 'load-user' }

  const redirect = safeRedirect(query.redirect)
  // An app may ask for a new sign-in of somebody who is signed in (OpenID Connect Core §3.1.2.1, `prompt=login`).
  if (door.role === 'login') return user && query.prompt !== 'login' ? go(redirect ?? '/') : stay
  if (door.needs === 'nobody' || (door.role === 'consent' && query.error !== undefined)) return stay
  if (!user) return go(paths.loginUnasked(safeRedirect(href)))
  if (door.confirmed && !user.email_verified) return go(paths.verify(safeRedirect(href)))
  if (door.needs === 'session') return stay

  if (developer_id && developer_id !== user.developer_id) {
    return { do: 'switch-developer', developer_id, otherwise: withoutDeveloper(href, developer_id) }
  }
  if (!user.developer_id) return go(paths.selectDeveloper(href))
  if (!developer_id) return go(href.replace(/^\/developers/, `/developers/${encodeURIComponent(user.developer_id)}`))
  return atLeast(user.permission, door.needs) ? stay : { do: 'go', to: paths.home, because: 'level' }
}

function withoutDeveloper(href: string, developer_id: string): string {
  return href.replace(`/developers/${encodeURIComponent(developer_id)}`, '/developers')
}
