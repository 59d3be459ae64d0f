import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Level } from '@vrata/contract'
import type { PhraseKey, Slice } from '@vrata/phrases/keys'
import { enter } from './enter.ts'
import type { Door } from './guard.ts'
import { part } from './lib/part.ts'
import type { Wires } from './lib/wires.tsx'
import { Root } from './root.tsx'

/** What stands in every row: there is no default, so that a page cannot be forgotten by the guard. */
declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Partial<Door> {
    title?: PhraseKey
    /** Slices of phrases that the page says, besides `ui` and `problems`. */
    phrases?: readonly Slice[]
    /** Its parameter opens a question on the page that is there: neither focus nor light move. */
    inPlace?: boolean
  }
  /** What one page tells the next, out of the address so that no link can say it. */
  interface HistoryState {
    /** When the account that has just been deleted will be gone. */
    deletion_due_at?: string
  }
}

/** One value of a path's `$page`: what stands before the title, and the source file of what it shows. */
export type Each = { page: string; title: string; file: string | undefined }

type Lazy = RouteComponent & { file?: string | undefined }

type Row = {
  path: string
  needs: 'nobody' | 'session' | Level
  title?: PhraseKey
  phrases?: readonly Slice[]
  role?: Door['role']
  confirmed?: boolean
  /** Part of an app's sign-in, which may run in a popup that must keep its opener. */
  popup?: boolean
  inPlace?: boolean
  page?: Lazy
  /** Asks for what the page reads, while its code is on the way; the page then needs no loading branch (house.md §5). */
  prime?: (wires: Wires, params: Record<string, string>) => Promise<unknown>
  /** The values of `$page` that the build renders as pages of their own; all others are missing pages. */
  each?: () => Promise<Each[]>
  /** Another path of this table; `$names` are kept. */
  redirect?: string
  children?: Row[]
}

/** `file` is filled in by the build, which must know what to preload. */
function page<T extends Record<string, unknown>, N extends keyof T>(
  load: () => Promise<T>,
  name: N,
  file?: string,
): Lazy {
  return Object.assign(part(load, name) as RouteComponent, { file })
}

const consent = page(() => import('./features/connections/consent.page.tsx'), 'ConsentPage')
// Only a pointer to it: sign-in, which reads this table too, must not carry what the console asks.
const clients = () => import('./features/clients/data.ts')
const guides = () => import('./features/guide/data.ts')
const changePassword = page(() => import('./features/auth/change-password.page.tsx'), 'ChangePasswordPage')

/** Without sidebar (specification §2, first table). */
// biome-ignore format: a table is read by column
const PUBLIC: Row[] = [
  { path: '/login', needs: 'nobody', role: 'login', title: 'ui.title.login', phrases: ['auth'], prime: async (wires) => (await import('./features/auth/login.page.tsx')).primeLogin(wires), page: page(() => import('./features/auth/login.page.tsx'), 'LoginPage') },
  { path: '/oauth', needs: 'session', role: 'consent', popup: true, confirmed: true, title: 'ui.title.consent', phrases: ['connections', 'device'], page: consent },
  { path: '/authorize', needs: 'session', role: 'consent', popup: true, confirmed: true, title: 'ui.title.consent', phrases: ['connections', 'device'], page: consent },
  { path: '/device', needs: 'session', confirmed: true, title: 'ui.title.device', phrases: ['device'], page: page(() => import('./features/connections/device.page.tsx'), 'DevicePage') },
  { path: '/logout', needs: 'nobody', role: 'logout', title: 'ui.title.logout', phrases: ['auth'], page: page(() => import('./features/auth/logout.page.tsx'), 'LogoutPage') },
  { path: '/verify', needs: 'session', title: 'ui.title.verify', phrases: ['auth', 'confirm'], page: page(() => import('./features/auth/verify.page.tsx'), 'VerifyPage') },
  { path: '/qr-code/$code', needs: 'session', title: 'ui.title.qr_code', phrases: ['qr'], page: page(() => import('./features/auth/qr-code.page.tsx'), 'QrCodePage') },
  { path: '/confirm-email/$token', needs: 'nobody', title: 'ui.title.confirm_email', phrases: ['auth', 'confirm'], page: page(() => import('./features/auth/confirm-email.page.tsx'), 'ConfirmEmailPage') },
  { path: '/change-password', needs: 'session', title: 'ui.title.change_password', phrases: ['auth'], page: changePassword },
  { path: '/change-password/$token', needs: 'nobody', title: 'ui.title.change_password', phrases: ['auth'], page: changePassword },
  { path: '/accept-invitation/$token', needs: 'nobody', title: 'ui.title.accept_invitation', phrases: ['invitations', 'members'], page: page(() => import('./features/invitations/accept-invitation.page.tsx'), 'AcceptInvitationPage') },
  { path: '/developers/docs/{-$page}', needs: 'nobody', title: 'ui.title.docs', phrases: ['guide'], prime: async (_, { page }) => (await guides()).loadGuide(page), each: async () => (await guides()).everyGuide(), page: page(() => import('./features/guide/guide.page.tsx'), 'GuidePage') },
  { path: '/register', needs: 'nobody', redirect: '/login?register=true' },
]

/** Sidebar in mode "user". The developer intro and the choice of an account need no organisation yet, so they are here. */
// biome-ignore format: a table is read by column
const USER: Row[] = [
  { path: '/', needs: 'nobody', redirect: '/home' },
  { path: '/home', needs: 'session', title: 'ui.title.home', phrases: ['home', 'activity', 'invitations'], prime: async (wires) => (await import('./features/home/data.ts')).primeHome(wires), page: page(() => import('./features/home/home.page.tsx'), 'HomePage') },
  { path: '/your-info/{-$info}', needs: 'session', title: 'ui.title.your_info', inPlace: true, phrases: ['account'], page: page(() => import('./features/account/your-info.page.tsx'), 'YourInfoPage') },
  { path: '/privacy', needs: 'session', title: 'ui.title.privacy', phrases: ['privacy'], page: page(() => import('./features/privacy/privacy.layout.tsx'), 'PrivacyLayout'), children: [
    { path: '/', needs: 'session', redirect: '/privacy/activity' },
    { path: '/activity', needs: 'session', title: 'ui.title.activity', phrases: ['privacy', 'activity'], page: page(() => import('./features/activity/activity.page.tsx'), 'ActivityPage') },
    { path: '/settings', needs: 'session', title: 'ui.title.privacy_settings', phrases: ['privacy'], page: page(() => import('./features/privacy/settings.page.tsx'), 'SettingsPage') },
    { path: '/request-data', needs: 'session', title: 'ui.title.request_data', phrases: ['privacy'], page: page(() => import('./features/privacy/request-data.page.tsx'), 'RequestDataPage') },
  ] },
  { path: '/security', needs: 'session', title: 'ui.title.security', phrases: ['security'], page: page(() => import('./features/security/security.layout.tsx'), 'SecurityLayout'), children: [
    { path: '/', needs: 'session', redirect: '/security/change-password' },
    { path: '/change-password', needs: 'session', title: 'ui.title.change_password', phrases: ['auth', 'security'], page: page(() => import('./features/auth/password.page.tsx'), 'PasswordPage') },
    { path: '/two-factor-authentication', needs: 'session', title: 'ui.title.two_factor', phrases: ['proof', 'security'], prime: async (wires) => (await import('./features/security/data.ts')).primeTwoFactor(wires), page: page(() => import('./features/security/two-factor.page.tsx'), 'TwoFactorPage') },
  ] },
  { path: '/devices', needs: 'session', title: 'ui.title.devices', phrases: ['security'], prime: async (wires) => (await import('./features/devices/data.ts')).primeDevices(wires), page: page(() => import('./features/devices/devices.page.tsx'), 'DevicesPage') },
  { path: '/applications', needs: 'session', title: 'ui.title.connected_apps', phrases: ['connections'], prime: async (wires) => (await import('./features/connections/data.ts')).primeApplications(wires), page: page(() => import('./features/connections/applications.page.tsx'), 'ApplicationsPage') },
  { path: '/developers', needs: 'session', confirmed: true, title: 'ui.title.developers', phrases: ['developers'], page: page(() => import('./features/developers/intro.page.tsx'), 'IntroPage') },
  { path: '/developers/select', needs: 'session', confirmed: true, title: 'ui.title.select_developer', phrases: ['developers'], page: page(() => import('./features/developers/select.page.tsx'), 'SelectPage') },
]

/** Sidebar in mode "developer". */
// biome-ignore format: a table is read by column
const DEVELOPER: Row[] = [
  { path: '/developers/{-$developerId}/applications', needs: 'member', confirmed: true, title: 'ui.title.applications', phrases: ['clients', 'statistics'], prime: async (wires) => (await clients()).primeList(wires), page: page(() => import('./features/clients/list.page.tsx'), 'ListPage') },
  { path: '/developers/{-$developerId}/applications/$clientId', needs: 'member', confirmed: true, title: 'ui.title.client_details', phrases: ['clients'], prime: async (wires, params) => (await clients()).primeClient(wires, params), page: page(() => import('./features/clients/client.layout.tsx'), 'ClientLayout'), children: [
    { path: '/', needs: 'member', confirmed: true, redirect: '/developers/{-$developerId}/applications/$clientId/details' },
    { path: '/details', needs: 'member', confirmed: true, title: 'ui.title.client_details', phrases: ['clients', 'connections', 'pictures', 'scopes', 'statistics'], prime: async (wires, params) => (await clients()).primeDetails(wires, params), page: page(() => import('./features/clients/details.page.tsx'), 'DetailsPage') },
    { path: '/development', needs: 'member', confirmed: true, title: 'ui.title.client_development', phrases: ['clients', 'refusals'], prime: async (wires, params) => (await clients()).primeDevelopment(wires, params), page: page(() => import('./features/clients/development.page.tsx'), 'DevelopmentPage') },
    { path: '/quick-start', needs: 'member', confirmed: true, title: 'ui.title.quick_start', phrases: ['clients'], prime: async (wires, params) => (await clients()).primeQuickStart(wires, params), page: page(() => import('./features/clients/quick-start.page.tsx'), 'QuickStartPage') },
    { path: '/scopes', needs: 'member', confirmed: true, title: 'ui.title.client_scopes', phrases: ['clients', 'connections', 'scopes'], prime: async (wires, params) => (await import('./features/clients/scope-data.ts')).primeScopes(wires, params), page: page(() => import('./features/clients/scopes.page.tsx'), 'ScopesPage') },
  ] },
  { path: '/developers/{-$developerId}/user-management', needs: 'analyst', confirmed: true, title: 'ui.title.users', phrases: ['users'], prime: async (wires) => (await import('./features/users/data.ts')).primeUsers(wires), page: page(() => import('./features/users/users.page.tsx'), 'UsersPage') },
  { path: '/developers/{-$developerId}/members', needs: 'member', confirmed: true, title: 'ui.title.members', phrases: ['members'], prime: async (wires) => (await import('./features/members/data.ts')).primeMembers(wires), page: page(() => import('./features/members/members.page.tsx'), 'MembersPage') },
  { path: '/developers/{-$developerId}/settings', needs: 'member', confirmed: true, title: 'ui.title.organization', phrases: ['organization', 'pictures'], page: page(() => import('./features/organization/organization.layout.tsx'), 'OrganizationLayout'), children: [
    { path: '/', needs: 'member', confirmed: true, title: 'ui.title.organization', phrases: ['organization', 'pictures'], prime: async (wires) => (await import('./features/organization/data.ts')).primeOrganization(wires), page: page(() => import('./features/organization/details.page.tsx'), 'OrganizationPage') },
    { path: '/activity', needs: 'moderator', confirmed: true, title: 'ui.title.activity', phrases: ['organization'], page: page(() => import('./features/organization/activity.page.tsx'), 'OrganizationActivityPage') },
  ] },
]

const root = createRootRouteWithContext<Wires>()({
  beforeLoad: enter,
  component: Root,
  notFoundComponent: page(() => import('./shell/not-found.tsx'), 'NotFoundPage'),
  errorComponent: page(() => import('./shell/error-page.tsx'), 'ErrorPage'),
})

const SHELLS = {
  public: page(() => import('./shell/public-shell.tsx'), 'PublicShell'),
  user: page(() => import('./shell/user-shell.tsx'), 'UserShell'),
  developer: page(() => import('./shell/developer-shell.tsx'), 'DeveloperShell'),
}
export type Shell = keyof typeof SHELLS

function shellOf(shell: Shell, rows: Row[]): AnyRoute {
  const route = createRoute({ getParentRoute: () => root, id: shell, component: SHELLS[shell] })
  return route.addChildren(rows.map((row) => routeOf(route, row)))
}

function routeOf(
  parent: AnyRoute,
  { path, page: component, redirect: to, prime, each: _, children = [], ...facts }: Row,
): AnyRoute {
  const route = createRoute({
    getParentRoute: () => parent,
    path,
    staticData: facts,
    ...(component ? { component } : {}),
    ...(prime
      ? { loader: ({ context, params }: { context: Wires; params: Record<string, string> }) => prime(context, params) }
      : {}),
    ...(to
      ? {
          beforeLoad: ({ params }: { params: Record<string, string> }) => {
            throw redirect({ href: filled(to, params), replace: true })
          },
        }
      : {}),
  })
  return children.length ? route.addChildren(children.map((row) => routeOf(route, row))) : route
}

/** Puts parameters into a path of the table; an optional one that is absent takes its slash with it. */
function filled(path: string, params: Record<string, string | undefined>): string {
  return path.replace(/\/\{-\$(\w+)\}|\/\$(\w+)/g, (_, optional, wanted) => {
    const value = params[optional ?? wanted]
    return value === undefined ? '' : `/${encodeURIComponent(value)}`
  })
}

export const routeTree = root.addChildren([
  shellOf('public', PUBLIC),
  shellOf('user', USER),
  shellOf('developer', DEVELOPER),
])

/** Every page of the table with its whole path: what the build renders and what the server delivers. */
export function flatRows(): FlatRow[] {
  const flat = (shell: Shell, rows: Row[], above: string, around: string[]): FlatRow[] =>
    rows.flatMap(({ children, page: component, path, phrases = [], ...row }) => {
      const whole = `${above}${path === '/' && above ? '' : path}`
      const files = component?.file ? [...around, component.file] : around
      return children ? flat(shell, children, whole, files) : [{ ...row, phrases, path: whole, shell, files }]
    })
  const all = (shell: Shell, rows: Row[]) => flat(shell, rows, '', SHELLS[shell].file ? [SHELLS[shell].file] : [])
  return [...all('public', PUBLIC), ...all('user', USER), ...all('developer', DEVELOPER)]
}
export type FlatRow = Omit<Row, 'children' | 'page' | 'phrases'> & {
  phrases: readonly Slice[]
  shell: Shell
  /** Source files of the page and what is around it, outermost first. */
  files: string[]
}
