import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Level, OperatorNeed } from '@vrata/contract'
import { fillPath } from '@vrata/contract/page-addresses'
import type { PageAccess } from '@vrata/contract/page-guard'
import type { PhraseFile, PhraseKey } from '@vrata/phrases/keys'
import { beforeLoad } from './before-load.ts'
import type { StepState } from './features/sign-in/use-step.ts'
import type { AppContext } from './lib/app-context.tsx'
import { Root } from './root.tsx'
import { lazyComponent } from './ui/lazy-component.ts'

/** Every row states its access; there is no default. */
declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Partial<PageAccess> {
    title?: PhraseKey
    /** Titles of addresses with these query parameters. */
    titles?: Readonly<Record<string, PhraseKey>>
    /** Phrase files of the page besides `ui` and `problems`. */
    phrases?: readonly PhraseFile[]
    /** The path parameter opens a dialog on the page: focus and animation stay. */
    inPlace?: boolean
  }
  /** State passed between pages outside the address, so that links cannot set it. */
  interface HistoryState {
    /** When the deleted account will be removed. */
    deletion_due_at?: string
    /** The user signs out to use another account at the same place. */
    switching?: boolean
    /** Entries and choices of the previous step of sign-in. */
    step?: StepState
  }
}

/** One value of `$page`: prefix of the title and source file of the content. */
export type ParamValue = { page: string; title: string; file: string | undefined }

type Lazy = RouteComponent & { file?: string | undefined }

type Row = {
  path: string
  needs: 'nobody' | 'session' | Level | OperatorNeed
  title?: PhraseKey
  titles?: Readonly<Record<string, PhraseKey>>
  phrases?: readonly PhraseFile[]
  role?: PageAccess['role']
  confirmed?: boolean
  /** Part of an app's sign-in, which may run in a popup that must keep its opener. */
  popup?: boolean
  inPlace?: boolean
  page?: Lazy
  /** Loads the data of the page while its code loads, so pages need no loading branch (architecture §3.6). */
  preload?: (context: AppContext, params: Record<string, string>) => Promise<unknown>
  /** Values of `$page` that are rendered as separate pages; all others are missing pages. */
  paramValues?: () => Promise<ParamValue[]>
  /** Another path of this table; `$names` are kept. */
  redirect?: string
  children?: Row[]
}

/** The build fills in `file`, for preloading. */
function page<T extends Record<string, unknown>, N extends keyof T>(
  load: () => Promise<T>,
  name: N,
  file?: string,
): Lazy {
  return Object.assign(lazyComponent(load, name) as RouteComponent, { file })
}

const consent = page(() => import('./features/connections/consent/consent.page.tsx'), 'ConsentPage')
// Imported lazily, so that the sign-in page does not load the developer area.
const clients = () => import('./features/clients/queries.ts')
const guides = () => import('./features/docs/pages.ts')
const home = () => import('./features/home/queries.ts')
const passkeys = () => import('./features/security/passkeys/queries.ts')
const sessions = () => import('./features/sessions/queries.ts')
const connections = () => import('./features/connections/queries.ts')
const quickStart = () => import('./features/quick-start/queries.ts')
const scopes = () => import('./features/scopes/queries.ts')
const users = () => import('./features/users/queries.ts')
const members = () => import('./features/members/queries.ts')
const developers = () => import('./features/developers/queries.ts')
const people = () => import('./features/admin-users/people-queries.ts')
const organizations = () => import('./features/admin-organizations/organization-queries.ts')
const groups = () => import('./features/groups/group-queries.ts')

/** Public pages without sidebar (product §2.1). */
// biome-ignore format: a table is read by column
const PUBLIC: Row[] = [
  { path: '/login', needs: 'nobody', role: 'login', title: 'ui.title.login', titles: { register: 'ui.title.sign_up', forgot: 'ui.title.forgot_password', sent: 'ui.title.forgot_password', otp: 'ui.title.second_step' }, phrases: ['sign-in'], preload: async (context) => (await import('./features/sign-in/login.page.tsx')).preloadLogin(context), page: page(() => import('./features/sign-in/login.page.tsx'), 'LoginPage') },
  { path: '/oauth', needs: 'session', role: 'consent', popup: true, confirmed: true, title: 'ui.title.consent', phrases: ['connections', 'device', 'app-requests'], page: consent },
  { path: '/authorize', needs: 'session', role: 'consent', popup: true, confirmed: true, title: 'ui.title.consent', phrases: ['connections', 'device', 'app-requests'], page: consent },
  { path: '/device', needs: 'session', confirmed: true, title: 'device.title', phrases: ['device'], page: page(() => import('./features/connections/device/device.page.tsx'), 'DevicePage') },
  { path: '/request-answered/allowed', needs: 'nobody', title: 'app-requests.answered.title', phrases: ['app-requests'], page: page(() => import('./features/connections/requests/request-answered.page.tsx'), 'RequestAllowedPage') },
  { path: '/request-answered/denied', needs: 'nobody', title: 'app-requests.answered.title', phrases: ['app-requests'], page: page(() => import('./features/connections/requests/request-answered.page.tsx'), 'RequestDeniedPage') },
  { path: '/request-answered/signed-in', needs: 'nobody', title: 'app-requests.answered.title', phrases: ['app-requests'], page: page(() => import('./features/connections/requests/request-answered.page.tsx'), 'BackToAppPage') },
  { path: '/logout', needs: 'nobody', role: 'logout', title: 'ui.title.logout', phrases: ['sign-out'], page: page(() => import('./features/sessions/logout.page.tsx'), 'LogoutPage') },
  { path: '/add-passkey', needs: 'session', popup: true, title: 'security.passkeys.offer.title', phrases: ['security', 'second-factor'], page: page(() => import('./features/security/passkeys/offer-passkey.page.tsx'), 'OfferPasskeyPage') },
  { path: '/finish-sign-in', needs: 'session', role: 'finish', popup: true, title: 'second-factor.setup.title', phrases: ['second-factor', 'security'], page: page(() => import('./features/security/finish-sign-in.page.tsx'), 'FinishSignInPage') },
  { path: '/verify', needs: 'session', role: 'verify', title: 'ui.title.verify', phrases: ['sign-in', 'email-confirmation'], page: page(() => import('./features/account/email/verify.page.tsx'), 'VerifyPage') },
  { path: '/qr-code/$code', needs: 'session', title: 'qr-sign-in.page_title', phrases: ['qr-sign-in'], page: page(() => import('./features/sign-in/qr/qr-code.page.tsx'), 'QrCodePage') },
  { path: '/confirm-email/$token', needs: 'nobody', title: 'email-confirmation.confirm.title', phrases: ['sign-in', 'email-confirmation'], page: page(() => import('./features/account/email/confirm-email.page.tsx'), 'ConfirmEmailPage') },
  { path: '/change-password', needs: 'session', title: 'ui.title.change_password', phrases: ['sign-in', 'new-password'], page: page(() => import('./features/security/password/change-password.page.tsx'), 'ChangePasswordPage') },
  { path: '/change-password/$token', needs: 'nobody', title: 'ui.title.change_password', phrases: ['sign-in', 'new-password'], page: page(() => import('./features/sign-in/password/reset-password.page.tsx'), 'ResetPasswordPage') },
  { path: '/accept-invitation/$token', needs: 'nobody', title: 'invitations.page_title', phrases: ['invitations', 'members', 'menu'], page: page(() => import('./features/members/invitation/accept-invitation.page.tsx'), 'AcceptInvitationPage') },
  { path: '/accept-account/$token', needs: 'nobody', title: 'account-invitations.title', phrases: ['account-invitations', 'sign-in', 'second-factor'], page: page(() => import('./features/account-invitations/accept-account.page.tsx'), 'AcceptAccountPage') },
  { path: '/new-passkey/$token', needs: 'nobody', title: 'account-invitations.new_passkey', phrases: ['account-invitations', 'sign-in', 'second-factor'], page: page(() => import('./features/account-invitations/accept-account.page.tsx'), 'NewPasskeyPage') },
  { path: '/admin/protect-account', needs: 'session', title: 'operators.factor.title', phrases: ['operators', 'second-factor', 'security'], page: page(() => import('./features/security/protect-account.page.tsx'), 'ProtectAccountPage') },
  { path: '/admin/setup', needs: 'operator:admin', title: 'operators.setup.title', phrases: ['operators', 'policy', 'system'], page: page(() => import('./features/operators/continue-setup.page.tsx'), 'ContinueSetupPage') },
  { path: '/admin/setup/$token', needs: 'nobody', title: 'operators.setup.title', phrases: ['operators'], page: page(() => import('./features/operators/setup.page.tsx'), 'SetupPage') },
  { path: '/developers/test-sign-in', needs: 'nobody', title: 'client-diagnostics.test.return', phrases: ['client-diagnostics'], page: page(() => import('./features/client-diagnostics/test-sign-in.page.tsx'), 'TestSignInPage') },
  { path: '/developers/docs/{-$page}', needs: 'nobody', title: 'ui.title.docs', phrases: ['docs'], preload: async (_, { page }) => (await guides()).preloadDocPage(page), paramValues: async () => (await guides()).allDocPages(), page: page(() => import('./features/docs/docs.page.tsx'), 'DocsPage') },
  { path: '/register', needs: 'nobody', redirect: '/login?register=true' },
]

/** Pages with the user menu (product §2.2). The developer introduction and choice need no organization. */
// biome-ignore format: a table is read by column
const USER: Row[] = [
  { path: '/', needs: 'nobody', redirect: '/home' },
  { path: '/home', needs: 'session', title: 'menu.title.home', phrases: ['home', 'activity', 'invitations', 'app-requests'], preload: async (context) => (await home()).preloadHome(context), page: page(() => import('./features/home/home.page.tsx'), 'HomePage') },
  { path: '/your-info/{-$info}', needs: 'session', title: 'menu.title.your_info', inPlace: true, phrases: ['account'], page: page(() => import('./features/account/your-info.page.tsx'), 'YourInfoPage') },
  { path: '/privacy', needs: 'session', title: 'menu.title.privacy', phrases: ['privacy'], page: page(() => import('./features/privacy/privacy.layout.tsx'), 'PrivacyLayout'), children: [
    { path: '/', needs: 'session', redirect: '/privacy/activity' },
    { path: '/activity', needs: 'session', title: 'menu.title.activity', phrases: ['privacy', 'activity'], page: page(() => import('./features/activity/activity.page.tsx'), 'ActivityPage') },
    { path: '/settings', needs: 'session', title: 'menu.title.privacy_settings', phrases: ['privacy'], page: page(() => import('./features/privacy/privacy-settings.page.tsx'), 'SettingsPage') },
    { path: '/request-data', needs: 'session', title: 'menu.title.request_data', phrases: ['privacy'], page: page(() => import('./features/privacy/request-data.page.tsx'), 'RequestDataPage') },
  ] },
  { path: '/security', needs: 'session', title: 'menu.title.security', phrases: ['security'], page: page(() => import('./features/security/security.layout.tsx'), 'SecurityLayout'), children: [
    { path: '/', needs: 'session', title: 'menu.title.security', phrases: ['security'], page: page(() => import('./features/security/sign-in-methods.page.tsx'), 'SignInMethodsPage') },
    { path: '/change-password', needs: 'session', title: 'ui.title.change_password', phrases: ['sign-in', 'security'], page: page(() => import('./features/security/password/password.page.tsx'), 'PasswordPage') },
    { path: '/passkeys', needs: 'session', title: 'menu.title.passkeys', phrases: ['second-factor', 'security'], preload: async (context) => (await passkeys()).preloadPasskeyList(context), page: page(() => import('./features/security/passkeys/passkeys-card.tsx'), 'PasskeysCard') },
    { path: '/two-factor-authentication', needs: 'session', title: 'menu.title.two_factor', phrases: ['second-factor', 'security'], page: page(() => import('./features/security/two-factor/two-factor.page.tsx'), 'TwoFactorPage') },
  ] },
  { path: '/devices', needs: 'session', title: 'menu.title.devices', phrases: ['security'], preload: async (context) => (await sessions()).preloadDevices(context), page: page(() => import('./features/sessions/devices.page.tsx'), 'DevicesPage') },
  { path: '/applications', needs: 'session', title: 'menu.title.connected_apps', phrases: ['connections'], preload: async (context) => (await connections()).preloadConnections(context), page: page(() => import('./features/connections/connected-apps.page.tsx'), 'ConnectedAppsPage') },
  { path: '/developers', needs: 'session', confirmed: true, title: 'menu.title.developers', phrases: ['developers'], page: page(() => import('./features/developers/developers-intro.page.tsx'), 'DevelopersIntroPage') },
  { path: '/developers/select', needs: 'session', confirmed: true, title: 'developers.select.title', phrases: ['developers'], page: page(() => import('./features/developers/select-developer.page.tsx'), 'SelectDeveloperPage') },
]

/** Pages with the developer menu (product §2.3). */
// biome-ignore format: a table is read by column
const DEVELOPER: Row[] = [
  { path: '/developers/{-$developerId}/applications', needs: 'member', confirmed: true, title: 'menu.title.applications', phrases: ['clients', 'statistics'], preload: async (context) => (await clients()).preloadClientList(context), page: page(() => import('./features/clients/list/client-list.page.tsx'), 'ClientListPage') },
  { path: '/developers/{-$developerId}/applications/$clientId', needs: 'member', confirmed: true, title: 'clients.details.title', phrases: ['clients'], preload: async (context, params) => (await clients()).preloadClient(context, params), page: page(() => import('./features/clients/client.layout.tsx'), 'ClientLayout'), children: [
    { path: '/', needs: 'member', confirmed: true, redirect: '/developers/{-$developerId}/applications/$clientId/details' },
    { path: '/details', needs: 'member', confirmed: true, title: 'clients.details.title', phrases: ['clients', 'connections', 'pictures', 'save-state', 'scopes', 'statistics'], preload: async (context, params) => (await clients()).preloadClientDetails(context, params), page: page(() => import('./features/clients/details/client-details.page.tsx'), 'ClientDetailsPage') },
    { path: '/development', needs: 'member', confirmed: true, title: 'clients.tab.development', phrases: ['clients', 'client-diagnostics', 'save-state'], preload: async (context, params) => (await clients()).preloadClientDevelopment(context, params), page: page(() => import('./features/clients/development/client-development.page.tsx'), 'ClientDevelopmentPage') },
    { path: '/quick-start', needs: 'member', confirmed: true, title: 'clients.tab.quick_start', phrases: ['clients'], preload: async (context, params) => (await quickStart()).preloadQuickStart(context, params), page: page(() => import('./features/quick-start/quick-start.page.tsx'), 'QuickStartPage') },
    { path: '/scopes', needs: 'member', confirmed: true, title: 'clients.tab.scopes', phrases: ['clients', 'connections', 'scopes'], preload: async (context, params) => (await scopes()).preloadScopes(context, params), page: page(() => import('./features/scopes/scopes.page.tsx'), 'ScopesPage') },
  ] },
  { path: '/developers/{-$developerId}/user-management', needs: 'analyst', confirmed: true, title: 'menu.title.users', phrases: ['users'], preload: async (context) => (await users()).preloadUsers(context), page: page(() => import('./features/users/users.page.tsx'), 'UsersPage') },
  { path: '/developers/{-$developerId}/members', needs: 'member', confirmed: true, title: 'menu.title.members', phrases: ['members'], preload: async (context) => (await members()).preloadMembers(context), page: page(() => import('./features/members/members.page.tsx'), 'MembersPage') },
  { path: '/developers/{-$developerId}/settings', needs: 'member', confirmed: true, title: 'menu.title.organization', phrases: ['organization', 'pictures'], page: page(() => import('./features/developers/settings/developer-settings.layout.tsx'), 'DeveloperSettingsLayout'), children: [
    { path: '/', needs: 'member', confirmed: true, title: 'menu.title.organization', phrases: ['organization', 'pictures', 'save-state'], preload: async (context) => (await developers()).preloadDeveloper(context), page: page(() => import('./features/developers/settings/developer-details.page.tsx'), 'DeveloperDetailsPage') },
    { path: '/activity', needs: 'moderator', confirmed: true, title: 'menu.title.activity', phrases: ['organization'], page: page(() => import('./features/developers/activity/developer-activity.page.tsx'), 'DeveloperActivityPage') },
  ] },
]

/** Pages of operators. */
// biome-ignore format: a table is read by column
const ADMIN: Row[] = [
  { path: '/admin', needs: 'operator:auditor', redirect: '/admin/overview' },
  { path: '/admin/overview', needs: 'operator:auditor', title: 'operators.menu.overview', phrases: ['system'], page: page(() => import('./features/system/overview.page.tsx'), 'OverviewPage') },
  { path: '/admin/people', needs: 'operator:auditor', title: 'operators.menu.people', phrases: ['admin-users'], page: page(() => import('./features/admin-users/people.page.tsx'), 'PeoplePage') },
  { path: '/admin/people/$userId', needs: 'operator:auditor', title: 'operators.menu.people', phrases: ['admin-users', 'activity'], preload: async (context, params) => (await people()).preloadPerson(context, params), page: page(() => import('./features/admin-users/person.page.tsx'), 'PersonPage') },
  { path: '/admin/organizations', needs: 'operator:auditor', title: 'operators.menu.organizations', phrases: ['admin-organizations'], page: page(() => import('./features/admin-organizations/organizations.page.tsx'), 'OrganizationsPage') },
  { path: '/admin/organizations/$organizationId', needs: 'operator:auditor', title: 'operators.menu.organizations', phrases: ['admin-clients', 'admin-organizations'], preload: async (context, params) => (await organizations()).preloadOrganization(context, params), page: page(() => import('./features/admin-organizations/organization.page.tsx'), 'OrganizationPage') },
  { path: '/admin/apps', needs: 'operator:auditor', title: 'operators.menu.apps', phrases: ['admin-clients'], page: page(() => import('./features/admin-clients/apps.page.tsx'), 'AppsPage') },
  { path: '/admin/groups', needs: 'operator:auditor', title: 'operators.menu.groups', phrases: ['groups'], page: page(() => import('./features/groups/groups.page.tsx'), 'GroupsPage') },
  { path: '/admin/groups/$groupKey', needs: 'operator:auditor', title: 'operators.menu.groups', phrases: ['groups'], preload: async (context, params) => (await groups()).preloadGroup(context, params), page: page(() => import('./features/groups/group.page.tsx'), 'GroupPage') },
  { path: '/admin/operators', needs: 'operator:auditor', title: 'operators.menu.operators', page: page(() => import('./features/operators/operators.page.tsx'), 'OperatorsPage') },
  { path: '/admin/sign-in', needs: 'operator:auditor', title: 'operators.menu.sign_in', phrases: ['policy'], page: page(() => import('./features/policy/policy.page.tsx'), 'PolicyPage') },
  { path: '/admin/look', needs: 'operator:auditor', title: 'operators.menu.look', phrases: ['branding', 'pictures'], page: page(() => import('./features/branding/branding.page.tsx'), 'BrandingPage') },
  { path: '/admin/audit', needs: 'operator:auditor', title: 'operators.menu.audit', phrases: ['organization', 'policy', 'audit'], page: page(() => import('./features/audit/audit.page.tsx'), 'AuditPage') },
  { path: '/admin/system', needs: 'operator:auditor', title: 'operators.menu.system', phrases: ['policy', 'system'], page: page(() => import('./features/system/system.page.tsx'), 'SystemPage') },
]

const root = createRootRouteWithContext<AppContext>()({
  beforeLoad: beforeLoad,
  component: Root,
  notFoundComponent: page(() => import('./shell/not-found.tsx'), 'NotFoundPage'),
  errorComponent: page(() => import('./shell/error-page.tsx'), 'ErrorPage'),
})

const SHELLS = {
  public: page(() => import('./shell/public-shell.tsx'), 'PublicShell'),
  user: page(() => import('./shell/user-shell.tsx'), 'UserShell'),
  developer: page(() => import('./shell/developer-shell.tsx'), 'DeveloperShell'),
  admin: page(() => import('./shell/admin-shell.tsx'), 'AdminShell'),
}
export type Shell = keyof typeof SHELLS

/** Phrase files of the frames around pages. */
const SHELL_PHRASES: Record<Shell, readonly PhraseFile[]> = {
  public: [],
  user: ['menu'],
  developer: ['menu'],
  admin: ['menu', 'operators'],
}

function shellOf(shell: Shell, rows: Row[]): AnyRoute {
  const phrases = SHELL_PHRASES[shell]
  const route = createRoute({
    getParentRoute: () => root,
    id: shell,
    component: SHELLS[shell],
    staticData: { phrases },
    beforeLoad: ({ context }: { context: AppContext }) => context.i18n.load(phrases),
  })
  return route.addChildren(rows.map((row) => routeOf(route, row, pageError)))
}

const pageError = page(() => import('./shell/error-page.tsx'), 'PageError')
const tabError = page(() => import('./shell/error-page.tsx'), 'TabError')

function routeOf(
  parent: AnyRoute,
  { path, page: component, redirect: to, preload, paramValues: _, children = [], ...facts }: Row,
  errorComponent: Lazy,
): AnyRoute {
  const route = createRoute({
    getParentRoute: () => parent,
    path,
    staticData: facts,
    errorComponent,
    ...(component ? { component } : {}),
    ...(preload
      ? {
          loader: ({ context, params }: { context: AppContext; params: Record<string, string> }) =>
            preload(context, params),
        }
      : {}),
    ...(to
      ? {
          beforeLoad: ({ params }: { params: Record<string, string> }) => {
            throw redirect({ href: fillPath(to, params), replace: true })
          },
        }
      : { beforeLoad: ({ context }: { context: AppContext }) => context.i18n.load(facts.phrases ?? []) }),
  })
  return children.length ? route.addChildren(children.map((row) => routeOf(route, row, tabError))) : route
}

export const routeTree = root.addChildren([
  shellOf('public', PUBLIC),
  shellOf('user', USER),
  shellOf('developer', DEVELOPER),
  shellOf('admin', ADMIN),
])

/** Every page of the table with its full path, for the build and the server. */
export function flatRows(): FlatRow[] {
  const flat = (shell: Shell, rows: Row[], above: string, around: string[]): FlatRow[] =>
    rows.flatMap(({ children, page: component, path, phrases = [], ...row }) => {
      const whole = `${above}${path === '/' && above ? '' : path}`
      const files = component?.file ? [...around, component.file] : around
      return children
        ? flat(shell, children, whole, files)
        : [{ ...row, phrases: [...SHELL_PHRASES[shell], ...phrases], path: whole, shell, files }]
    })
  const all = (shell: Shell, rows: Row[]) => flat(shell, rows, '', SHELLS[shell].file ? [SHELLS[shell].file] : [])
  return [...all('public', PUBLIC), ...all('user', USER), ...all('developer', DEVELOPER), ...all('admin', ADMIN)]
}
export type FlatRow = Omit<Row, 'children' | 'page' | 'phrases'> & {
  phrases: readonly PhraseFile[]
  shell: Shell
  /** Source files of the page and its layouts, outermost first. */
  files: string[]
}
