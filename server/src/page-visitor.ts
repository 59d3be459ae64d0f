import type { FastifyRequest } from 'fastify'
import type { OpenDeps } from './deps.ts'
import { CookieJar } from './edge/session-cookie.ts'
import type { PageVisitor } from './edge/spa.ts'
import { newToken } from './ports/ids.ts'
import { userInfo } from './slices/account/door.ts'
import { readSession } from './slices/auth/door.ts'
import { publicClient } from './slices/clients/door.ts'

/** Who opens a page, and for which app they are about to sign in; goes into the document (contract `Boot`). */
export function pageVisitor(deps: OpenDeps): (request: FastifyRequest) => Promise<PageVisitor> {
  return async (request) => {
    const cookies = new CookieJar(deps.config, request.headers.cookie)
    const access = cookies.read('access')
    const session = access ? await readSession(deps, access) : undefined
    const user = session ? await userInfo(deps, session) : null
    const app = user ? undefined : await waitingApp(deps, request)
    return {
      user,
      refresh: user === null && cookies.read('session') !== undefined,
      ...(app ? { continue_to: app } : {}),
    }
  }
}

/** The app whose request waits behind `/login?redirect=/authorize/{uid}`. */
async function waitingApp(deps: OpenDeps, request: FastifyRequest) {
  const { redirect } = request.query as { redirect?: unknown }
  const uid = typeof redirect === 'string' ? /^\/authorize\/([\w-]{1,64})$/.exec(redirect)?.[1] : undefined
  const waiting = uid ? await deps.requests.find(deps.db, uid) : undefined
  const client = waiting ? await publicClient(deps.db, waiting.client_id) : undefined
  return client ? { name: client.card.name, icon: client.card.icon } : undefined
}

/**
 * The device cookie for a browser that has none. Calls that begin at the same moment would each make one, and whatever
 * the earlier one began could not be finished with the cookie of the later (decision 0172).
 */
export function browserMarks({ config }: Pick<OpenDeps, 'config'>): (request: FastifyRequest) => string[] {
  return (request) => {
    const cookies = new CookieJar(config, request.headers.cookie)
    if (cookies.read('device') === undefined) cookies.write('device', newToken())
    return cookies.headers()
  }
}
