import { useHydrated, useRouter, useSearch } from '@tanstack/react-router'
import { safeRedirect } from '@vrata/contract/redirect'
import { useWires } from '../../lib/wires.tsx'
import { isServerAddress } from '../../paths.ts'

/** What the addresses of this feature may say behind the question mark. */
export type Query = {
  redirect?: string
  register?: string
  /** Whom an app expects to sign in (OpenID Connect Core §3.1.2.1). */
  login_hint?: string
  /** What the server refused a form for that was sent before the script ran. */
  problem?: string
}

/**
 * The query of the address. Until the page is hydrated only that part of it for which it was rendered: the same HTML
 * stands at many addresses.
 */
export function useQueryWords(): Query {
  const query = useSearch({ strict: false }) as Query
  const { renderedFor } = useWires()
  return useHydrated() ? query : renderedFor
}

/** Goes where the visitor was headed before signing in, or to `otherwise`; settles when they are there. */
export function useGoOn() {
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as Query
  return async (otherwise = '/'): Promise<void> => {
    const href = safeRedirect(redirect) ?? otherwise
    if (!isServerAddress(href)) return router.navigate({ href, replace: true })
    location.assign(href)
    // The document is about to go; whoever waits stays busy until then.
    return new Promise(() => {})
  }
}
