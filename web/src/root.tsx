import { Outlet, useMatches, useRouter, useRouterState } from '@tanstack/react-router'
import type { PhraseKey } from '@vrata/phrases/keys'
import { useEffect } from 'react'
import { useI18n } from './lib/i18n.tsx'
import { ProgressStrip } from './ui/progress-strip.tsx'

/** Around every page: the light under the door while one loads, and what a change of page must do. */
export function Root() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  return (
    <>
      <PageChange />
      <ProgressStrip active={loading} />
      <Outlet />
    </>
  )
}

/** The title follows page and language; after a navigation the focus goes to the heading, so that it is read aloud. */
function PageChange() {
  const { t } = useI18n()
  const title = useMatches({ select: titleOf })
  const router = useRouter()

  useEffect(() => {
    document.title = `${t(title)} · ${t('ui.product')}`
  }, [t, title])

  useEffect(() => {
    let last = router.state.matches.at(-1)?.routeId
    return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const leaf = router.state.matches.at(-1)
      const same = leaf?.staticData.inPlace && leaf.routeId === last
      last = leaf?.routeId
      if (!fromLocation || !pathChanged || same) return
      // From now on pages fade in; the first one must not, it would be painted 0.4 s later (frontend.md §9).
      const page = document.documentElement
      delete page.dataset.moved
      void page.offsetWidth
      page.dataset.moved = ''
      const heading = document.querySelector('h1')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    })
  }, [router])
  return null
}

export function titleOf(
  matches: readonly { staticData: { title?: PhraseKey }; globalNotFound?: boolean }[],
): PhraseKey {
  if (matches.some((match) => match.globalNotFound)) return 'ui.title.not_found'
  return matches.findLast((match) => match.staticData.title)?.staticData.title ?? 'ui.title.not_found'
}
