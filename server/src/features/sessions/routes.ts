import { paths, sessions } from '@vrata/contract'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { reauthenticate, reauthenticateOptions } from './authentication/reauthenticate.ts'
import { renameDevice } from './devices/rename-device.ts'
import { listSessions, recognizeSession } from './list-sessions.ts'
import { logout, logoutAll, logoutSession } from './logout.ts'
import { refresh } from './refresh.ts'

/** Calls of sessions (api §2). */
export const routes: RouteHandler[] = [
  serve(sessions.listSessions, listSessions),
  serve(sessions.recognizeSession, recognizeSession),
  serve(sessions.renameDevice, renameDevice),
  serveOpen(sessions.refresh, refresh),
  serveOpen(sessions.reauthenticate, reauthenticate),
  serve(sessions.reauthenticateOptions, reauthenticateOptions),
  serve(sessions.logout, logout),
  serve(sessions.logoutSession, logoutSession),
  serve(sessions.logoutAll, logoutAll),
]

/** The page after a sign-out: that of the apps, which leads to the sign-in page, or the sign-in page itself. */
function signedOutPage(redirect: string | undefined, answer: unknown): string {
  const { redirect_to } = answer as { redirect_to?: string }
  if (redirect_to === undefined) return paths.loginUnasked(redirect)
  return redirect === undefined ? redirect_to : `${redirect_to}?${new URLSearchParams({ redirect })}`
}

/** Forms of the pages for browsers without script. */
export const forms: ServedForm[] = [{ path: '/logout', served: serve(sessions.logout, logout), next: signedOutPage }]
