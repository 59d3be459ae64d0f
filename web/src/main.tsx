import { safeRedirect, TIMINGS } from '@vrata/contract'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, makeRouter, makeWires } from './app.tsx'
import { readBoot } from './lib/boot.ts'
import { insist } from './lib/insist.ts'
import { currentUser, setUser } from './lib/session.ts'
import { paths } from './paths.ts'
import './ui/tokens.css'
import './document.css'

const page = document.documentElement
const root = document.getElementById('root') as HTMLElement

/** Not even the page of errors could be shown: then the document speaks. */
function onUncaughtError(error: unknown) {
  page.dataset.failed = ''
  reportError(error)
}

async function start() {
  const wires = makeWires(readBoot(document), sessionEnded)
  const router = makeRouter(wires)

  function sessionEnded() {
    const leaf = (matches: typeof router.state.matches) => matches.at(-1)?.staticData
    const wanted = leaf(router.matchRoutes(router.latestLocation))
    if (wanted?.role === 'logout') return
    const guarded = [leaf(router.state.matches), wanted].some((door) => door?.needs && door.needs !== 'nobody')
    // While nobody is known the guard is asking, and sends the visitor on by itself.
    if (!guarded || !currentUser(wires)) return setUser(wires, null)
    // A page goes on showing whose it is until it has been left; signing out then forgets the person.
    void router.navigate({ href: paths.sessionEnded(safeRedirect(router.latestLocation.href)) })
  }

  // The prerendered tree has one Suspense less than the client's unless the router believes it was rendered by a server.
  const prerendered = root.dataset.prerendered !== undefined
  if (prerendered) router.ssr = { manifest: undefined }
  const asked = router.latestLocation.href
  await router.load()

  const app = (
    <StrictMode>
      <App wires={wires} router={router} />
    </StrictMode>
  )
  // A redirect of the guard leads away from what was prerendered.
  if (prerendered && router.state.location.href === asked) hydrateRoot(root, app, { onUncaughtError })
  else createRoot(root, { onUncaughtError }).render(app)
  page.dataset.started = ''
  // Once the page has been seen: what keeps it up to date is in nobody's way.
  setTimeout(async () => {
    const { followSession } = await insist(() => import('./shell/live.ts'))
    followSession({ wires, go: (href) => void router.navigate({ href }), recheck: () => void router.invalidate() })
  }, TIMINGS.overlay)
}

// After a new release an open page asks for chunks that are gone; the address it is on has them anew.
// A server that does not answer has none: there the page stays, with what was typed on it.
addEventListener('vite:preloadError', async () => {
  const last = Number(sessionStorage.getItem('reloaded'))
  if (Date.now() - last < 60_000) return
  const answered = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (!answered) return
  sessionStorage.setItem('reloaded', String(Date.now()))
  location.reload()
})
setTimeout(() => document.getElementById('overlay')?.remove(), TIMINGS.overlay)
start().catch((error: unknown) => {
  page.dataset.failed = ''
  throw error
})
