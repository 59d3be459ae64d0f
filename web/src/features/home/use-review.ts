import { useRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { securityReview } from '../../lib/security-review.ts'
import { useUser } from '../../lib/session.ts'
import { ACTIONS } from './finding-row.tsx'
import type { Finding } from './security-findings.ts'

/** Leads through findings one after the other (design §7.10). */
export function useReview() {
  const router = useRouter()
  const { id } = useUser()
  return {
    /** Opens the page of the first finding; the home page when there is none. */
    open([first, second]: readonly Finding[]): void {
      if (!first) {
        securityReview.end()
        void router.navigate({ href: paths.home })
        return
      }
      // The page that confirms an address has no menu: it continues with the next finding itself.
      const atVerify = first.what === 'email' || first.what === 'pending'
      const after = second ? ACTIONS[second.what].href : paths.home
      securityReview.show(id, atVerify ? (second?.what ?? first.what) : first.what)
      void router.navigate({ href: atVerify ? paths.verify(after) : ACTIONS[first.what].href })
    },
  }
}
