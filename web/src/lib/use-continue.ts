import { useRouter, useSearch } from '@tanstack/react-router'
import { isServerAddress } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'

/**
 * Navigates to the `redirect` of the address, or to `fallback`. Addresses that the server answers load a new document; the
 * promise then never resolves, so that a form stays busy until the document is gone.
 */
export function useContinue() {
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  return async (fallback = '/'): Promise<void> => {
    const href = safeRedirect(redirect) ?? fallback
    if (!isServerAddress(href)) return router.navigate({ href, replace: true })
    location.assign(href)
    return new Promise(() => {})
  }
}
