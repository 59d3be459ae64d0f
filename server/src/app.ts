import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ROUTES } from '@vrata/contract/routes'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Store } from './db/open.ts'
import { bindDeps, type OpenDeps, type Outside, type World } from './deps.ts'
import { guardAnswers, leastHeaders } from './edge/answer-headers.ts'
import { mountApiDocs } from './edge/api-docs.ts'
import type { FenceDeps } from './edge/fence.ts'
import { mountForms } from './edge/forms.ts'
import { mountHealth } from './edge/health.ts'
import { mountMailPreviews } from './edge/mail-previews.ts'
import { mountMailbox } from './edge/mailbox.ts'
import { mountMetrics } from './edge/metrics.ts'
import { allowOwnOrigins } from './edge/own-origin.ts'
import { mountLastResort, mountProblems, sendProblem, toProblem } from './edge/problems.ts'
import { limitVisits, rateLimit } from './edge/rate-limit.ts'
import { logRequests } from './edge/request-log.ts'
import { mountCalls, type Served } from './edge/serve.ts'
import { mountSockets } from './edge/sockets.ts'
import { mountPages } from './edge/spa.ts'
import type { Listeners } from './events.ts'
import { pendingRequests } from './issuer/interactions.ts'
import { issuerListeners } from './issuer/listeners.ts'
import { LOGOUT_JOB, logoutJob } from './issuer/logout-tokens.ts'
import { mountIssuer } from './issuer/mount.ts'
import { liveListeners } from './live-news.ts'
import { browserMarks, pageVisitor } from './page-visitor.ts'
import type { JobHandler } from './ports/jobs/runner.ts'
import { accountPart } from './slices/account/door.ts'
import { routes as account } from './slices/account/routes.ts'
import { activityPart } from './slices/activity/door.ts'
import { routes as activity } from './slices/activity/routes.ts'
import * as auth from './slices/auth/door.ts'
import { routes as authRoutes, forms } from './slices/auth/routes.ts'
import { appCards, endClientsOf } from './slices/clients/door.ts'
import { routes as clients } from './slices/clients/routes.ts'
import {
  connectionsPart,
  countPeople,
  namesOf,
  onAccountChanged,
  onClientDeleted,
  onScopesRemoved,
} from './slices/connections/door.ts'
import { routes as connections } from './slices/connections/routes.ts'
import { levelOf, membershipsOf, organizationsPart } from './slices/developers/door.ts'
import { routes as developers } from './slices/developers/routes.ts'
import { routes as media } from './slices/media/routes.ts'
import * as privacy from './slices/privacy/door.ts'
import { routes as privacyRoutes } from './slices/privacy/routes.ts'
import { factorsOf, onPendingEmailChanged, securityPart } from './slices/security/door.ts'
import { routes as security, forms as securityForms } from './slices/security/routes.ts'
import { VERSION } from './version.ts'

export interface HouseOptions {
  world: World
  store: Store
  /** Folder of the built pages, if not this repository's own; false for a house without pages. */
  pages?: string | false
  /** In tests: undeclared problems fail loudly. */
  strict?: boolean
}

export interface BuiltHouse {
  app: FastifyInstance
  deps: OpenDeps
  /** Work that slices leave for later, by kind of job. */
  handlers: Record<string, JobHandler>
}

/** The bundle lies as deep as the sources do, so this is the same place seen from both. */
const PAGES = join(import.meta.dirname, '../../web/dist')

/** Every call of `/v1`. */
const CALLS: Served[] = [
  ...media,
  ...account,
  ...activity,
  ...security,
  ...authRoutes,
  ...developers,
  ...clients,
  ...connections,
  ...privacyRoutes,
]

/** Who hears what, inside the transaction in which it happened; the issuer, last in the line, ends tokens. */
const LISTENERS: Listeners[] = [
  {
    pending_email_changed: [onPendingEmailChanged],
    signed_in: [auth.onSignedIn, privacy.onSignedIn],
    password_changed: [auth.onPasswordChanged],
    second_factor_changed: [auth.onSecondFactorChanged],
    developer_deleted: [endClientsOf],
    client_deleted: [onClientDeleted],
    account_changed: [onAccountChanged],
    scopes_removed: [onScopesRemoved],
  },
  issuerListeners,
  liveListeners,
]

/** What each slice tells an archive of all data. */
const PARTS: privacy.Parts = {
  account: accountPart,
  security: securityPart,
  sessions: auth.sessionsPart,
  activity: activityPart,
  connections: connectionsPart,
  organizations: organizationsPart,
}

/** Puts the house together; opens nothing itself (house.md §1.5: a list one reads). */
export async function buildApp({ world, store, pages = PAGES, strict = false }: HouseOptions): Promise<BuiltHouse> {
  const { config } = world
  const app = Fastify({
    loggerInstance: world.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trust_proxy,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    genReqId: () => randomUUID(),
    // An address that cannot be read reaches no hook and no handler of ours.
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, reply.headers(leastHeaders(config)) as never, toProblem(error)),
  })
  const outside: Outside = {
    ...world,
    requests: pendingRequests(world.clock),
    memberships: { of: membershipsOf },
    factors: { of: factorsOf },
    appCards: { of: appCards },
    knownPeople: { names: namesOf },
    liveSessions: { of: auth.liveSessionsOf },
    peopleWith: { count: countPeople },
  }
  const deps = bindDeps(outside, store, joined(LISTENERS))
  const session = (access: string) => auth.readSession(deps, access)
  const fence: FenceDeps = {
    config,
    clock: world.clock,
    rateLimit: rateLimit(config.limits_factor),
    strict,
    reads: {
      session,
      level: (developer_id, user_id) => levelOf(store.read, developer_id, user_id),
    },
  }

  logRequests(app)
  guardAnswers(app, config)
  mountLastResort(app)
  mountProblems(app, methodsOf)
  allowOwnOrigins(app, config)
  mountHealth(app, store)
  const sockets = mountSockets(app, {
    ...world,
    reads: {
      session,
      waits: (browser_hash) => auth.browserWaits(deps, browser_hash),
      live: (ids) => auth.liveAmong(store.read, ids, world.clock.now()),
      developers: async (user_id) => (await membershipsOf(store.read, user_id)).map((one) => one.developer_id),
    },
  })
  mountMetrics(app, config, sockets)
  if (!config.smtp_url) {
    mountMailbox(app, config)
    mountMailPreviews(app, config.url)
  }
  mountForms(app, fence, deps, [...forms, ...securityForms])
  await app.register(
    async (v1) => {
      mountApiDocs(v1, config, VERSION)
      mountCalls(v1, fence, deps, CALLS)
    },
    { prefix: '/v1' },
  )
  const page =
    pages === false
      ? (_: unknown, reply: { callNotFound(): unknown }) => reply.callNotFound()
      : await mountPages(app, {
          dist: pages,
          url: config.url,
          api_url: config.api_url,
          visitor: pageVisitor(deps),
          marks: browserMarks(deps),
        })
  await mountIssuer(app, deps, { page, limit: limitVisits(config.limits_factor) })
  const handlers = {
    [auth.FORGOT_PASSWORD_JOB]: auth.forgotPasswordJob(deps),
    [privacy.ARCHIVE_JOB]: privacy.archiveJob(deps, PARTS),
    [LOGOUT_JOB]: logoutJob(deps),
  }
  return { app, deps, handlers }
}

function joined(lists: Listeners[]): Listeners {
  const all: Record<string, unknown[]> = {}
  for (const list of lists)
    for (const [name, heard] of Object.entries(list)) all[name] = [...(all[name] ?? []), ...heard]
  return all as Listeners
}

const ADDRESSES = [...ROUTES.values()].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^/v1${path.replace(/:[a-z_]+/g, '[^/]+')}/?$`),
}))

/** Methods that a path below `/v1` knows, for 405. */
function methodsOf(path: string): string[] {
  return ADDRESSES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}
