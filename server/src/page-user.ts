import { DEFAULT_POLICY } from '@vrata/contract'
import type { FastifyRequest } from 'fastify'
import type { AppDeps } from './deps.ts'
import { findPublicClient } from './features/clients/public.ts'
import { publicPart } from './features/policy/public.ts'
import { readSessionWithUser, withCurrentStep } from './features/sessions/public.ts'
import { CookieJar } from './http/cookies.ts'
import type { PageUser } from './http/pages/pages.ts'
import { isWaitingRequest } from './http/waiting-requests.ts'
import { newToken } from './lib/ids.ts'

/** The user who opens a page and the client they sign in to, for the document (`Boot` of the contract). */
export function pageUser(deps: AppDeps): (request: FastifyRequest) => Promise<PageUser> {
  return async (request) => {
    const cookies = new CookieJar(deps.config, request.headers.cookie)
    const access = cookies.read('access')
    const session = access ? await withCurrentStep(deps, await readSessionWithUser(deps, access)) : undefined
    const user = session?.user_info ?? null
    const app = await clientOfInteraction(deps, cookies, request)
    return {
      user,
      refresh: user === null && cookies.read('session') !== undefined,
      ...(app ? { continue_to: app } : {}),
      ...(await policyOf(deps)),
    }
  }
}

/** Part of the policy that the sign-in page shows; undefined while it has its defaults. */
async function policyOf(deps: AppDeps): Promise<Pick<PageUser, 'policy'>> {
  const policy = publicPart(await deps.policy.find(deps.db))
  const same = JSON.stringify(policy) === JSON.stringify(publicPart(DEFAULT_POLICY))
  return same ? {} : { policy }
}

/** The client of the interaction in `/login?redirect=/authorize/{uid}`, if it waits in this browser. */
async function clientOfInteraction(deps: AppDeps, cookies: CookieJar, request: FastifyRequest) {
  const { redirect } = request.query as { redirect?: unknown }
  const uid = typeof redirect === 'string' ? /^\/authorize\/([\w-]{1,64})$/.exec(redirect)?.[1] : undefined
  const client_id =
    uid && isWaitingRequest(cookies, uid) ? await deps.interactions.findClientId(deps.db, uid) : undefined
  const client = client_id ? await findPublicClient(deps.db, client_id) : undefined
  if (!client) return undefined
  const { name, icon, privacy_policy_url, terms_of_service_url } = client.card
  return { name, icon, privacy_policy_url, terms_of_service_url }
}

/**
 * Sets the device cookie before the page's first calls: concurrent calls would each set another one, and operations
 * started with the first could not be completed (decision 0016).
 */
export function deviceCookies({ config }: Pick<AppDeps, 'config'>): (request: FastifyRequest) => string[] {
  return (request) => {
    const cookies = new CookieJar(config, request.headers.cookie)
    if (cookies.read('device') === undefined) cookies.write('device', newToken())
    return cookies.headers()
  }
}
