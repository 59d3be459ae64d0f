import { account, activity, auth, connections, privacy, security } from '@vrata/contract'
import type { ServerEvents } from '@vrata/contract/realtime'
import { connection } from '../lib/connection.ts'
import { insist } from '../lib/insist.ts'
import { ACCOUNT, currentUser, setUser } from '../lib/session.ts'
import type { OpenSocket } from '../lib/socket.ts'
import { serverTime } from '../lib/time.ts'
import { callQuery } from '../lib/use-call.ts'
import type { Wires } from '../lib/wires.tsx'
import { paths } from '../paths.ts'
import { toast } from '../ui/toast.ts'

type House = {
  wires: Wires
  go(href: string): void
  /** Asks the guard again about the page that is open. */
  recheck(): void
}

/** Keeps a socket for as long as somebody is signed in, and loads anew exactly what the server names. */
export function followSession(house: House): void {
  const { wires } = house
  let socket: Promise<OpenSocket> | undefined
  let whose: string | undefined

  function turn() {
    const session = currentUser(wires)?.session_id
    if (session === whose) return
    whose = session
    void socket?.then((old) => old.close())
    socket = session ? open(house) : undefined
    if (!session) connection.back()
  }
  wires.queries.getQueryCache().subscribe(({ query }) => query.queryKey[0] === ACCOUNT[0] && turn())
  turn()
  // What tells of a page that could not be had must be there before.
  void insist(() => import('./error-page.tsx'))
}

async function open(house: House): Promise<OpenSocket> {
  const { wires } = house
  // Its words come with it: without a connection they could not be fetched.
  const [{ openSocket }] = await insist(() => Promise.all([import('../lib/socket.ts'), wires.i18n.load(['live'])]))
  const reload = () => reloadUser(house)
  return openSocket({
    base: wires.apiBase,
    on: reactions(house, reload),
    onOpen(late) {
      connection.back()
      if (!late) return
      void reload()
      void wires.queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ACCOUNT[0] })
    },
    onLost: connection.gone,
    // Any call renews the session where that is what it needs, and says so when it is over.
    renew: async () => (await reload()) !== 401,
  })
}

function reactions(house: House, reload: () => Promise<number>): Partial<ServerEvents> {
  const { wires } = house
  const since = Date.now()
  const told = new Set<string>()
  const anew = (...roots: string[]) =>
    void wires.queries.invalidateQueries({ predicate: ({ queryKey }) => roots.includes(String(queryKey[0])) })
  const anewBelow = (root: string) =>
    void wires.queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(root) })

  return {
    'account:updated': () => {
      void reload()
      anew(security.listPasskeys.path, privacy.listDataRequests.path)
    },
    'activity:created': () => anew(activity.listActivity.path),
    'sessions:changed': () => {
      anew(auth.listSessions.path)
      void tellNewcomers(house, since, told)
    },
    // Asked, not believed: the answer to what ended it may be on its way to this very page, which then says more.
    'session:ended': () => void reload(),
    'connections:changed': () => anew(connections.listConnections.path),
    'developer:changed': () => {
      void reload()
      anew('/developer', '/developer/activity')
    },
    'members:changed': () => anewBelow('/developer/members'),
    'client:changed': () => anewBelow('/client'),
  }
}

/** Who this is now; a level that was lowered may close the page that is open. Answers the HTTP status. */
async function reloadUser({ wires, recheck }: House): Promise<number> {
  const before = currentUser(wires)
  const answer = await wires.api(account.getAccount)
  // Whoever signed out meanwhile stays out; a session that is over has been told of by the caller.
  if (!answer.ok || !before || currentUser(wires)?.id !== answer.data.id) return answer.http
  setUser(wires, answer.data)
  if (before.permission !== answer.data.permission || before.developer_id !== answer.data.developer_id) recheck()
  return answer.http
}

/** A sign-in somewhere else, said at once, with the way to object. */
async function tellNewcomers({ wires, go }: House, since: number, told: Set<string>): Promise<void> {
  const sessions = await wires.queries
    .fetchQuery({ ...callQuery(wires, auth.listSessions, {}), staleTime: 0 })
    .catch(() => [])
  const { t } = wires.i18n.now()
  for (const { id, current, created_at, browser, os } of sessions) {
    if (current || told.has(id) || serverTime(created_at).getTime() < since) continue
    told.add(id)
    const device = [browser, os].filter(Boolean).join(', ')
    toast(device ? t('live.signed_in', { device }) : t('live.signed_in_somewhere'), {
      label: t('live.not_me'),
      run: () => go(paths.activityOf(id)),
    })
  }
}
