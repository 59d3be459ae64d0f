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

/** Whether something has been typed on the page that a reload would lose. */
function hasInput(): boolean {
  const controls = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
  return [...controls].some(({ type, value, defaultValue }) => type !== 'hidden' && value !== defaultValue)
}

/**
 * After a release an open page requests chunks that no longer exist; a reload loads new ones. When the server does not
 * respond the page stays, with its input.
 */
async function reloadForRelease(): Promise<void> {
  const last = Number(sessionStorage.getItem('reloaded'))
  if (Date.now() - last < 60_000) return
  const answered = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (!answered) return
  sessionStorage.setItem('reloaded', String(Date.now()))
  location.reload()
}

async function start() {
  const context = createAppContext(readBoot(document), {
    ended: sessionEnded,
    onAnotherUser: () => location.reload(),
  })
  const router = createAppRouter(context)
  // A link under the pointer is enough to request a chunk: what is typed stays until the page is left.
  addEventListener('vite:preloadError', () => {
    if (router.state.isLoading || !hasInput()) void reloadForRelease()
  })

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
    connectRealtime({ context, go: (href) => void router.navigate({ href }), recheck: () => void router.invalidate() })
  }, TIMINGS.overlay)
}

setTimeout(() => document.getElementById('overlay')?.remove(), TIMINGS.overlay)
start().catch((error: unknown) => {
  page.dataset.failed = ''
  throw error
})
