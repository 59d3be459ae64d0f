import { useRouter } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { securityReview } from '../../lib/security-review.ts'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { ACTIONS } from './finding-row.tsx'
import type { Finding } from './security-findings.ts'

/** Leads through findings one after the other (design §7.10). */
export function useReview() {
  const { t } = useI18n()
  const router = useRouter()
  const { id } = useUser()
  return {
    /** Opens the page of the first finding; the home page when there is none. */
    open([first, second]: readonly Finding[]): void {
      if (!first) {
        securityReview.end()
        toast(t('home.review.finished'))
        void router.navigate({ href: paths.home })
        return
      }
      // The page that confirms an address has no menu: it continues with the next finding itself.
      const atVerify = first.what === 'email' || first.what === 'pending'
      const after = second ? ACTIONS[second.what].href : paths.home
      const shown = atVerify ? second : first
      if (shown) securityReview.show(id, shown.what)
      else securityReview.end()
      void router.navigate({ href: atVerify ? paths.verify(after) : ACTIONS[first.what].href })
    },
  }
}
