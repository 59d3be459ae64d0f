import { Outlet, useMatches, useRouter, useRouterState } from '@tanstack/react-router'
import type { PhraseKey } from '@vrata/phrases/keys'
import { useEffect } from 'react'
import { useI18n } from './lib/i18n.tsx'
import { ProgressStrip } from './ui/feedback/progress-strip.tsx'
import { keepFocus } from './ui/focus-near.ts'

/** Around every page: progress strip, document title and focus. */
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

/** Sets the document title. After navigation focus moves to the heading, so that it is announced; nor is it lost on a page that changes. */
function PageChange() {
  const { t } = useI18n()
  const title = useMatches({ select: titleOf })
  const router = useRouter()

  useEffect(() => {
    // Empty when the phrases of the page could not be loaded; the document then keeps its title.
    const words = title && t(title)
    if (words) document.title = `${words} · ${t('ui.product')}`
  }, [t, title])

  useEffect(keepFocus, [])

  useEffect(() => {
    let last = router.state.matches.at(-1)?.routeId
    return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const leaf = router.state.matches.at(-1)
      const same = leaf?.staticData.inPlace && leaf.routeId === last
      last = leaf?.routeId
      if (!fromLocation || !pathChanged || same) return
      // Later pages fade in. The first page does not, because the animation would delay its paint (pages §9).
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

type TitledMatch = {
  staticData: { title?: PhraseKey; titles?: Readonly<Record<string, PhraseKey>> }
  search: object
  globalNotFound?: boolean
  status?: string
}

/** Undefined while the page loads: its sentences may be missing, and the address may turn out to name no page. */
export function titleOf(matches: readonly TitledMatch[]): PhraseKey | undefined {
  if (matches.some((match) => match.globalNotFound)) return 'ui.title.not_found'
  const titled = matches.findLast((match) => match.staticData.title)
  if (titled?.status === 'pending') return undefined
  const { title = 'ui.title.not_found', titles = {} } = titled?.staticData ?? {}
  const name = Object.keys(titles).find((name) => titled && name in titled.search)
  return titles[name ?? ''] ?? title
}
