import { useRouter, useSearch } from '@tanstack/react-router'
import { isServerAddress, paths } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'

/** Milliseconds after which a page that has been left is still shown. */
const STAYS = 5000

/**
 * Navigates to the `redirect` of the address, or to `fallback`. Addresses that the server answers load a new document; the
 * promise then never resolves, so that a form stays busy until the document is replaced. An answer that opens an installed app leaves
 * the document where it is, so a page that says this takes its place.
 */
export function useContinue() {
  const router = useRouter()
  const { redirect } = useSearch({ strict: false }) as { redirect?: string }
  return async (fallback = '/'): Promise<void> => {
    const href = safeRedirect(redirect) ?? fallback
    if (!isServerAddress(href)) return router.navigate({ href, replace: true })
    const page = location.href
    location.assign(href)
    setTimeout(() => location.href === page && router.navigate({ href: paths.backToApp, replace: true }), STAYS)
    return new Promise(() => {})
  }
}
