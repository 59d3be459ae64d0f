import { safeRedirect, TIMINGS } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, createAppContext, createAppRouter } from './app.tsx'
import { readBoot } from './lib/boot.ts'
import { retryUntilLoaded } from './lib/retry-until-loaded.ts'
import { currentUser, setUser } from './lib/session.ts'
import './ui/tokens.css'
import './document.css'

const page = document.documentElement
const root = document.getElementById('root') as HTMLElement

/** The error page itself failed, so the document shows its message. */
function onUncaughtError(error: unknown) {
  page.dataset.failed = ''
  reportError(error)
}

async function start() {
  const context = createAppContext(readBoot(document), { ended: sessionEnded })
  const router = createAppRouter(context)

  function sessionEnded() {
    const leaf = (matches: typeof router.state.matches) => matches.at(-1)?.staticData
    const target = leaf(router.matchRoutes(router.latestLocation))
    if (target?.role === 'logout') return
    const guarded = [leaf(router.state.matches), target].some((access) => access?.needs && access.needs !== 'nobody')
    // While the user is unknown the guard is asking and redirects by itself.
    if (!guarded || !currentUser(context)) return setUser(context, null)
    // The page keeps showing its user until it is left; the logout page then clears the cache.
    void router.navigate({ href: paths.sessionEnded(safeRedirect(router.latestLocation.href)) })
  }

  // The prerendered tree has one Suspense boundary less unless the router is marked as server-rendered.
  const prerendered = root.dataset.prerendered !== undefined
  if (prerendered) router.ssr = { manifest: undefined }
  const requestedHref = router.latestLocation.href
  await router.load()
  // The error page would be without words; the document has some.
  if (!context.i18n.now().find('ui.error.heading')) throw new Error('The phrases of the pages could not be loaded')

  const app = (
    <StrictMode>
      <App context={context} router={router} />
    </StrictMode>
  )
  // After a redirect of the guard the prerendered HTML does not match.
  if (prerendered && router.state.location.href === requestedHref) {
    hydrateRoot(root, app, { onUncaughtError })
    // The inline script (`early.ts`) repeats what was done before.
    dispatchEvent(new Event('hydrating'))
  } else createRoot(root, { onUncaughtError }).render(app)
  page.dataset.started = ''
  // Realtime updates start after the first paint.
  setTimeout(async () => {
    const { connectRealtime } = await retryUntilLoaded(() => import('./shell/realtime.ts'))
    connectRealtime(context, router)
  }, TIMINGS.overlay)
}

// After a release an open page requests chunks that no longer exist; a reload loads new ones. When the server does not
// respond the page stays, with its input.
addEventListener('vite:preloadError', async () => {
  if (Date.now() - sessionStorage.reloaded < 60_000) return
  if (!(await fetch(location.href, { method: 'HEAD' }).catch(() => null))) return
  sessionStorage.reloaded = Date.now()
  location.reload()
})
setTimeout(() => document.getElementById('overlay')?.remove(), TIMINGS.overlay)
start().catch((error: unknown) => {
  page.dataset.failed = ''
  throw error
})
