import type { AnyRouter } from '@tanstack/react-router'
import { account, activity, connections, privacy, security, sessions } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import type { ServerEvents } from '@vrata/contract/realtime'
import { callQuery } from '../lib/api/call-query.ts'
import type { AppContext } from '../lib/app-context.tsx'
import { connectionStatus } from '../lib/realtime/connection-status.ts'
import type { RealtimeSocket } from '../lib/realtime/socket.ts'
import { reloadPolicy } from '../lib/reload-policy.ts'
import { retryUntilLoaded } from '../lib/retry-until-loaded.ts'
import { ACCOUNT_KEY, acceptUser, currentUser } from '../lib/session.ts'
import { toast } from '../ui/feedback/toast.ts'
import { applyBranding } from './branding/apply-branding.ts'
import { keepTypedTexts } from './typed-texts.ts'

type RealtimeDeps = {
  context: AppContext
  go(href: string): void
  /** Runs the guard again for the open page. */
  recheck(): void
}

/** Keeps a socket open while a user is signed in and invalidates the queries named by events. */
export function connectRealtime(context: AppContext, router: AnyRouter): void {
  const deps: RealtimeDeps = {
    context,
    go: (href) => void router.navigate({ href }),
    recheck: () => void router.invalidate(),
  }
  let socket: Promise<RealtimeSocket> | undefined
  let sessionId: string | undefined

  function followSession() {
    const session = currentUser(context)?.session_id
    if (session === sessionId) return
    sessionId = session
    void socket?.then((old) => old.close())
    socket = session ? connect(deps) : undefined
    if (!session) connectionStatus.markConnected()
  }
  context.queries.getQueryCache().subscribe(({ query }) => query.queryKey[0] === ACCOUNT_KEY[0] && followSession())
  followSession()
  keepTypedTexts(context, router)
  // Loaded in advance, because they must be available when other chunks fail to load.
  void retryUntilLoaded(() =>
    Promise.all([import('./error-page.tsx'), import('./user-shell.tsx'), import('./developer-shell.tsx')]),
  )
}

async function connect(deps: RealtimeDeps): Promise<RealtimeSocket> {
  const { context } = deps
  // Its phrases load in advance, because they could not be loaded without a connection.
  const [{ openSocket }] = await retryUntilLoaded(() =>
    Promise.all([import('../lib/realtime/socket.ts'), context.i18n.load(['realtime'])]),
  )
  const reload = () => reloadUser(deps)
  return openSocket({
    base: context.apiBase,
    on: eventHandlers(deps, reload),
    onConnect(late) {
      connectionStatus.markConnected()
      if (!late) return
      void applyBranding(context)
      void reload()
      void context.queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT_KEY[0] })
    },
    onDisconnect: connectionStatus.markLost,
    // Any call renews the session, and reports when it has ended.
    renewSession: async () => (await reload()) !== 401,
  })
}

function eventHandlers(deps: RealtimeDeps, reload: () => Promise<number>): Partial<ServerEvents> {
  const { context } = deps
  const since = Date.now()
  const announced = new Set<string>()
  const invalidate = (...roots: string[]) =>
    void context.queries.invalidateQueries({ predicate: ({ queryKey }) => roots.includes(String(queryKey[0])) })
  const invalidateBelow = (root: string) =>
    void context.queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(root) })

  return {
    'account:updated': () => {
      void reload()
      invalidate(security.listPasskeys.path, privacy.listDataRequests.path)
    },
    'activity:created': () => invalidate(activity.listActivity.path),
    'sessions:changed': () => {
      invalidate(sessions.listSessions.path)
      void announceNewSessions(deps, since, announced)
    },
    // Asks the server, because a response on its way may explain more.
    'session:ended': () => void reload(),
    'branding:changed': () => {
      void applyBranding(context)
      invalidate('/admin/branding')
    },
    'requests:changed': () => {
      invalidate(connections.listRequests.path)
      void announceRequests(deps, since, announced)
    },
    'connections:changed': () => invalidate(connections.listConnections.path),
    'developer:changed': () => {
      void reload()
      invalidate('/developer', '/developer/activity')
    },
    'policy:changed': () => {
      void reloadPolicy(context)
      // A sign-in that waits for a second factor may go on.
      if (currentUser(context)?.next_step) void reload()
      invalidateBelow('/admin/policy')
    },
    'approvals:changed': () =>
      invalidate(
        '/admin/approvals',
        '/admin/overview',
        '/admin/organizations',
        '/admin/organizations/:id',
        '/admin/clients',
      ),
    'members:changed': () => invalidateBelow('/developer/members'),
    'client:changed': () => invalidateBelow('/client'),
  }
}

/** Values that decide which pages a user may open. */
const RIGHTS = ['permission', 'developer_id', 'operator_role'] as const

/** Reloads the user. A lowered level or a lost role may close the open page. Returns the HTTP status. */
async function reloadUser({ context, recheck }: RealtimeDeps): Promise<number> {
  const before = currentUser(context)
  const answer = await context.api(account.getAccount)
  // Ignores the response after a sign-out in the meantime; the caller has handled an ended session.
  if (!answer.ok || !before || currentUser(context)?.id !== before.id) return answer.http
  if (!acceptUser(context, answer.data)) return answer.http
  if (RIGHTS.some((right) => before[right] !== answer.data[right])) recheck()
  return answer.http
}

/** Whether what began `age` seconds ago began after `since`, a time of the browser, whose clock may differ from that of the server. */
const isNewerThan = (since: number, age: number) => age * 1000 <= Date.now() - since

/** Shows a toast about new sessions with a link to report them. */
async function announceNewSessions(
  { context, go }: RealtimeDeps,
  since: number,
  announced: Set<string>,
): Promise<void> {
  const open = await context.queries
    .fetchQuery({ ...callQuery(context, sessions.listSessions, {}), staleTime: 0 })
    .catch(() => [])
  const { t } = context.i18n.now()
  for (const { id, current, age, browser, os } of open) {
    if (current || announced.has(id) || !isNewerThan(since, age)) continue
    announced.add(id)
    const device = [browser, os].filter(Boolean).join(', ')
    toast(device ? t('realtime.signed_in', { device }) : t('realtime.signed_in_somewhere'), {
      label: t('realtime.not_me'),
      run: () => go(paths.activityOf(id)),
    })
  }
}

/** Shows a toast about requests of apps that arrived since, with a link to the question. */
async function announceRequests({ context, go }: RealtimeDeps, since: number, announced: Set<string>): Promise<void> {
  const open = await context.queries
    .fetchQuery({ ...callQuery(context, connections.listRequests, {}), staleTime: 0 })
    .catch(() => [])
  const { t } = context.i18n.now()
  for (const { uid, client, age } of open) {
    if (announced.has(uid) || !isNewerThan(since, age)) continue
    announced.add(uid)
    toast(t('realtime.app_request', { app: client.name }), {
      label: t('realtime.review'),
      run: () => go(paths.consent({ uid, client_id: client.client_id })),
    })
  }
}
