import { join } from 'node:path'
import { account as accountCalls, type Quotas } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'
import type { JobHandler } from './adapters/jobs/runner.ts'
import type { Store } from './db/open.ts'
import type { Adapters, AppDeps } from './deps.ts'
import { routes as account } from './features/account/routes.ts'
import { routes as accountInvitations, forms as invitationForms } from './features/account-invitations/routes.ts'
import { routes as activity } from './features/activity/routes.ts'
import { forms as adminUserForms, plainPages as adminUserPages } from './features/admin-users/routes.ts'
import { auditListeners } from './features/audit/public.ts'
import { CurrentBranding } from './features/branding/public.ts'
import * as access from './features/client-access/public.ts'
import { routes as clientAccess } from './features/client-access/routes.ts'
import { onOriginAdded, onRedirectUriAdded } from './features/client-diagnostics/public.ts'
import { routes as clientDiagnostics } from './features/client-diagnostics/routes.ts'
import { findClientCards, onDeveloperDeleted, Subjects } from './features/clients/public.ts'
import { routes as clients } from './features/clients/routes.ts'
import * as connected from './features/connections/public.ts'
import {
  forms as connectionForms,
  plainPages as connectionPages,
  routes as connections,
} from './features/connections/routes.ts'
import { routes as developers } from './features/developers/routes.ts'
import { routes as media } from './features/media/routes.ts'
import * as membership from './features/members/public.ts'
import { routes as members } from './features/members/routes.ts'
import { findOperatorAccess, findOperatorRole, isAdmin } from './features/operators/public.ts'
import { PolicyCache } from './features/policy/public.ts'
import * as privacy from './features/privacy/public.ts'
import { routes as privacyRoutes } from './features/privacy/routes.ts'
import { routes as quickStart } from './features/quick-start/routes.ts'
import { removeScopesOfClient } from './features/scopes/public.ts'
import { routes as scopes } from './features/scopes/routes.ts'
import {
  findSecondFactors,
  NETWORK_WINDOW,
  NetworkFailureCounter,
  onPendingEmailChanged,
} from './features/security/public.ts'
import { routes as security, forms as securityForms, plainPages as securityPages } from './features/security/routes.ts'
import * as sessions from './features/sessions/public.ts'
import { forms as sessionForms, routes as sessionRoutes } from './features/sessions/routes.ts'
import * as signIn from './features/sign-in/public.ts'
import { forms as signInForms, plainPages as signInPages, routes as signInRoutes } from './features/sign-in/routes.ts'
import { countWeekSignIns, SignInDays } from './features/statistics/public.ts'
import { routes as statistics } from './features/statistics/routes.ts'
import { findDeveloperUserNames } from './features/users/public.ts'
import { routes as users } from './features/users/routes.ts'
import type { SessionReads } from './http/actors.ts'
import { methodsOf } from './http/allowed-methods.ts'
import { mountApiDocs } from './http/api-docs.ts'
import { readRestOfBodies } from './http/bodies/early-answers.ts'
import { limitSlowBodies, REQUEST_TIMEOUTS, type RequestTimeouts } from './http/bodies/slow-requests.ts'
import { createServer } from './http/create-server.ts'
import { countByNetwork, limitAuthorizations, rateLimit } from './http/guards/rate-limit.ts'
import type { GuardDeps } from './http/guards/request-guards.ts'
import { allowWebOrigins } from './http/guards/same-origin.ts'
import { mountMailPreviews } from './http/mailbox/mail-previews.ts'
import { mountMailbox } from './http/mailbox/mailbox.ts'
import { countFailedSignIns } from './http/monitoring/count-failed-sign-ins.ts'
import { type Draining, mountHealth } from './http/monitoring/health.ts'
import type { Metrics } from './http/monitoring/metrics.ts'
import { mountMetrics } from './http/monitoring/serve-metrics.ts'
import { traceRequests } from './http/monitoring/trace-requests.ts'
import { mountForms } from './http/pages/html-forms.ts'
import { mountPages } from './http/pages/pages.ts'
import { mountPlainPages } from './http/pages/plain-pages.ts'
import { mountLastResort, mountProblems } from './http/problems.ts'
import { logRequests } from './http/request-log.ts'
import { minimalHeaders, setResponseHeaders } from './http/response-headers.ts'
import { mountRoutes, type RouteHandler } from './http/serve.ts'
import { mountSockets } from './http/sockets.ts'
import { installationState } from './installation-state.ts'
import { interactions } from './issuer/interactions/interactions.ts'
import { operatorKeys } from './issuer/keys/operator-keys.ts'
import { issuerListeners } from './issuer/listeners.ts'
import { prepareFrontchannelLogout } from './issuer/logout/frontchannel-logout.ts'
import { mountIssuer } from './issuer/mount.ts'
import { exchangeTestCode } from './issuer/test-sign-in/exchange-test-code.ts'
import { jobHandlers } from './job-handlers.ts'
import type { Tracing } from './lib/tracing.ts'
import { bindDeps, joinListeners, type Listeners } from './listeners.ts'
import { OPERATOR_CALLS } from './operator-calls.ts'
import { deviceCookies, pageUser } from './page-user.ts'
import { realtimeListeners } from './realtime-listeners.ts'
import { REVOKERS } from './revokers.ts'
import { VERSION } from './version.ts'

export interface AppOptions {
  adapters: Adapters
  store: Store
  /** Undefined when metrics are off. */
  metrics?: Metrics | undefined
  /** Undefined without an endpoint for traces. */
  tracing?: Tracing | undefined
  /** Folder of the built pages; false for a server without pages. */
  pages?: string | false
  /** In tests: undeclared problems are internal errors. */
  strict?: boolean
  /** In tests: shorter ones. */
  timeouts?: RequestTimeouts
  /** Quotas other than the defaults, for tests that create many objects. */
  quotas?: Partial<Quotas>
}

export interface BuiltApp {
  app: FastifyInstance
  deps: AppDeps
  /** Job handlers of the features, by kind of job. */
  handlers: Record<string, JobHandler>
  draining: Draining
}

/** The bundle is as deep in the tree as the sources, so the path is the same for both. */
const PAGES = join(import.meta.dirname, '../../web/dist')

/** All routes of `/v1`. */
const CALLS: RouteHandler[] = [
  ...media,
  ...account,
  ...activity,
  ...security,
  ...sessionRoutes,
  ...signInRoutes,
  ...accountInvitations,
  ...developers,
  ...members,
  ...clients,
  ...clientAccess,
  ...scopes,
  ...statistics,
  ...clientDiagnostics,
  ...quickStart,
  ...connections,
  ...users,
  ...privacyRoutes,
  ...OPERATOR_CALLS,
]

/** Listeners of the features, in the order in which they run; the issuer, after the features, revokes tokens. */
const LISTENERS: Listeners[] = [
  {
    pending_email_changed: [onPendingEmailChanged],
    policy_changed: [sessions.onPolicyChanged],
    activity_recorded: [signIn.onFactorAdded],
    signed_in: [sessions.onSignedIn, privacy.onSignedIn],
    developer_created: [membership.onDeveloperCreated],
    developer_deleted: [membership.onDeveloperDeleted, connected.onDeveloperDeleted, onDeveloperDeleted],
    redirect_uri_added: [onRedirectUriAdded],
    origin_added: [onOriginAdded],
    client_deleted: [connected.onClientDeleted],
    group_changed: [access.onGroupChanged],
    access_changed: [connected.onAccessChanged],
    account_changed: [connected.onAccountChanged],
    address_confirmed: [connected.onAddressConfirmed],
    account_deleted: [access.onAccountDeleted, membership.removeUserFromDevelopers, privacy.onAccountDeleted],
    scopes_removed: [connected.onScopesRemoved],
  },
  issuerListeners,
  // After the issuer has deleted the tokens of the client: connections and tokens are locked before scopes.
  { client_deleted: [removeScopesOfClient] },
  auditListeners,
  realtimeListeners,
]

/** Composes the app from the given adapters; opens nothing itself (architecture §3.4). */
export async function buildApp({
  adapters,
  store,
  metrics,
  tracing,
  pages = PAGES,
  strict = false,
  timeouts = REQUEST_TIMEOUTS,
  quotas,
}: AppOptions): Promise<BuiltApp> {
  const { config } = adapters
  const app = createServer(config, adapters.log, timeouts)
  const currentBranding = await CurrentBranding.open(store.read, adapters)
  app.addHook('onClose', async () => currentBranding.close())
  const signInDays = new SignInDays(adapters.clock)
  const deps: AppDeps = bindDeps(
    {
      ...adapters,
      branding: currentBranding,
      interactions: interactions(adapters.clock),
      memberships: { list: membership.listDeveloperAccounts },
      secondFactors: { find: findSecondFactors },
      operatorRoles: { find: findOperatorRole, isAdmin },
      clientCards: { find: findClientCards },
      developerUserNames: { find: findDeveloperUserNames },
      liveSessions: { find: sessions.findLiveSessionIds, require: sessions.requireLiveSession },
      scopeUsers: { count: connected.countScopeUsers, list: connected.listConnectionsWithScope },
      signInCounts: { lastWeek: countWeekSignIns },
      networkFailures: new NetworkFailureCounter(countByNetwork(NETWORK_WINDOW)),
      policy: new PolicyCache(adapters.signals, quotas),
      invitations: { isInvited: membership.isInvited, findAddresses: membership.findInvitedAddresses },
      testSignIns: { exchange: (actor, request) => exchangeTestCode(issuer, actor, request) },
      frontchannelLogouts: { prepare: prepareFrontchannelLogout },
      signingKeys: operatorKeys(() => deps),
      signInDays,
      accountDeletions: { guard: privacy.noDeletionGuard, requestedAt: privacy.findDeletionRequest },
      installation: installationState(config, store),
      subjects: new Subjects(store.read, adapters.encryption),
    },
    store,
    joinListeners(LISTENERS),
    REVOKERS,
  )
  app.addHook('onClose', signInDays.start(deps))
  countFailedSignIns(app, signInDays)
  const session: SessionReads['session'] = async (access, call) =>
    call === accountCalls.getAccount
      ? await sessions.withCurrentStep(deps, await sessions.readSessionWithUser(deps, access))
      : await sessions.withCurrentStep(deps, await sessions.readSession(deps, access))
  const live = (ids: readonly string[]) => sessions.filterLiveSessions(store.read, ids, adapters.clock.now())
  const guardDeps: GuardDeps = {
    branding: currentBranding,
    config,
    clock: adapters.clock,
    rateLimit: rateLimit(config.limits_factor),
    uploadDeadline: timeouts.uploadBody,
    strict,
    reads: {
      session,
      live,
      membership: (developer_id, user_id) => membership.findMembership(store.read, developer_id, user_id),
      operator: (user_id) => findOperatorAccess(deps, user_id),
    },
  }

  traceRequests(app, tracing)
  limitSlowBodies(app, timeouts, minimalHeaders(config))
  readRestOfBodies(app)
  logRequests(app)
  setResponseHeaders(app, config)
  mountLastResort(app)
  // Before the answer to unknown calls, which a preflight request is (Fetch §4.8).
  allowWebOrigins(app, config)
  mountProblems(app, methodsOf)
  const health = mountHealth(app, store)
  const sockets = mountSockets(app, {
    ...adapters,
    reads: {
      session,
      waits: (browser_hash) => signIn.hasOpenQrCode(deps, browser_hash),
      live,
      developers: async (user_id) =>
        (await membership.listDeveloperAccounts(store.read, user_id)).map((one) => one.developer_id),
    },
  })
  mountMetrics(app, config, metrics, { store, health, sockets, clock: adapters.clock })
  if (!config.smtp_url) {
    mountMailbox(app, config)
    mountMailPreviews(app, config.url, currentBranding)
  }
  mountForms(app, guardDeps, deps, [
    ...signInForms,
    ...invitationForms,
    ...sessionForms,
    ...securityForms,
    ...connectionForms,
    ...adminUserForms,
  ])
  const plainPages = [...signInPages, ...connectionPages, ...securityPages, ...adminUserPages]
  mountPlainPages(app, guardDeps, deps, plainPages, sessions.refresh)
  await app.register(
    async (v1) => {
      mountApiDocs(v1, config, VERSION)
      mountRoutes(v1, guardDeps, deps, CALLS)
    },
    { prefix: '/v1' },
  )
  const page =
    pages === false
      ? (_: unknown, reply: { callNotFound(): unknown }) => reply.callNotFound()
      : await mountPages(app, {
          dist: pages,
          url: config.url,
          secure: config.secure,
          api_url: config.api_url,
          branding: currentBranding,
          visitor: pageUser(deps),
          cookies: deviceCookies(deps),
        })
  const issuer = await mountIssuer(app, deps, { page, limit: limitAuthorizations(config.limits_factor) })
  const handlers = jobHandlers(deps)
  return { app, deps, handlers, draining: health }
}
