import { ROUTES } from '@vrata/contract/routes'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Store } from './db/open.ts'
import { bindDeps, type OpenDeps, type Outside, type World } from './deps.ts'
import type { FenceDeps } from './edge/fence.ts'
import { mountForms } from './edge/forms.ts'
import { mountHealth } from './edge/health.ts'
import { allowOwnOrigins } from './edge/own-origin.ts'
import { mountProblems } from './edge/problems.ts'
import { rateLimit } from './edge/rate-limit.ts'
import { mountCalls } from './edge/serve.ts'
import type { Listeners } from './events.ts'
import { routes as account } from './slices/account/routes.ts'
import { routes as activity } from './slices/activity/routes.ts'
import { onPasswordChanged, readSession } from './slices/auth/door.ts'
import { routes as auth, forms } from './slices/auth/routes.ts'
import { appCards } from './slices/clients/door.ts'
import { routes as clients } from './slices/clients/routes.ts'
import { routes as connections } from './slices/connections/routes.ts'
import { levelOf, membershipsOf } from './slices/developers/door.ts'
import { routes as developers } from './slices/developers/routes.ts'
import { onPendingEmailChanged } from './slices/security/door.ts'
import { routes as security } from './slices/security/routes.ts'

export interface AppOptions {
  world: World
  store: Store
  /** In tests: undeclared problems fail loudly. */
  strict?: boolean
}

/** Puts the house together; opens nothing itself (house.md §1.5: a list one reads). */
export async function buildApp({ world, store, strict = false }: AppOptions): Promise<FastifyInstance> {
  const { config } = world
  const app = Fastify({
    loggerInstance: world.log as FastifyBaseLogger,
    disableRequestLogging: true,
    trustProxy: config.trust_proxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    genReqId: () => crypto.randomUUID(),
  })
  const outside: Outside = {
    ...world,
    requests: { find: async () => undefined, finish: async () => '/' },
    memberships: { of: membershipsOf },
    appCards: { of: appCards },
  }
  const deps: OpenDeps = bindDeps(outside, store, listeners)

  const fence: FenceDeps = {
    config,
    clock: world.clock,
    rateLimit: rateLimit(),
    strict,
    reads: {
      session: (access) => readSession(deps, access),
      level: (developer_id, user_id) => levelOf(store.read, developer_id, user_id),
    },
  }

  allowOwnOrigins(app, config)
  mountHealth(app, store)
  mountForms(app, fence, deps, forms)
  await app.register(
    async (v1) => {
      mountProblems(v1, methodsOf)
      mountCalls(v1, fence, deps, [
        ...account,
        ...activity,
        ...security,
        ...auth,
        ...developers,
        ...clients,
        ...connections,
      ])
    },
    { prefix: '/v1' },
  )
  return app
}

/** Who reacts to what a slice earlier in the line announces, in the transaction in which it happens. */
const listeners: Listeners = {
  pending_email_changed: [onPendingEmailChanged],
  password_changed: [onPasswordChanged],
}

const CALLS = [...ROUTES.values()].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^/v1${path.replace(/:[a-z_]+/g, '[^/]+')}/?$`),
}))

/** Methods that a path below `/v1` knows, for 405. */
function methodsOf(path: string): string[] {
  return CALLS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}
