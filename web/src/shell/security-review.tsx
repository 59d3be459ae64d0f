import { useLocation } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { useAppContext } from '../lib/app-context.tsx'
import { retryUntilLoaded } from '../lib/retry-until-loaded.ts'
import { securityReview } from '../lib/security-review.ts'
import { useUser } from '../lib/session.ts'

/** Loads the bar of the security check while one is running. */
export function SecurityReview() {
  const { i18n } = useAppContext()
  const { id } = useUser()
  const what = useSyncExternalStore(
    securityReview.subscribe,
    () => securityReview.current(id),
    () => null,
  )
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [Bar, setBar] = useState<ComponentType<{ what: string }>>()
  const shown = what !== null && path !== paths.home

  useEffect(() => {
    if (!shown) return
    void retryUntilLoaded(() =>
      Promise.all([import('../features/home/security-review-bar.tsx'), i18n.load(['home'])]),
    ).then(([file]) => setBar(() => file.SecurityReviewBar))
  }, [shown, i18n])
  return shown && Bar ? <Bar what={what} /> : null
}
