/** Addresses of the pages (product §2), relative to `VRATA_URL`. Those to which only the server leads are in `all-addresses.ts`. */
export const paths = {
  home: '/home',
  login: (redirect?: string) => withQuery('/login', { redirect }),
  signUp: (redirect: string) => withQuery('/login', { register: 'true', redirect }),
  /** Both with the email filled in. */
  loginAs: (email: string, redirect: string) => withQuery('/login', { login_hint: email, redirect }),
  signUpAs: (email: string, redirect: string) => withQuery('/login', { register: 'true', login_hint: email, redirect }),
  /** Login that does not load the user: after a logout, or when the guard has loaded it already. */
  loginUnasked: (redirect?: string) => withQuery('/login', { redirect, skip: 'true' }),
  /** Login in a browser that is signed in, perhaps to another account. */
  loginAnew: '/login?prompt=login',
  /** Offers a passkey after a sign-in with the password, then continues. */
  addPasskey: (redirect?: string) => withQuery('/add-passkey', { redirect }),
  logout: '/logout',
  /** Ends the rest of a session; login then continues at `redirect`. */
  sessionEnded: (redirect?: string) => withQuery('/logout', { redirect }),
  /** Where a session continues whose sign-in is not complete. */
  finishSignIn: (redirect?: string) => withQuery('/finish-sign-in', { redirect }),
  verify: (redirect?: string) => withQuery('/verify', { redirect }),
  /** Device authorization (RFC 8628): the page where the user code is entered. */
  device: (code: string) => withQuery('/device', { user_code: code }),
  consent: (interaction: { uid: string; client_id: string; scope?: string }) => withQuery('/oauth', interaction),
  /** After a sign-in whose answer opens an installed app. */
  backToApp: '/request-answered/signed-in',
  /** Continues the authorization request of a client. */
  interaction: (uid: string) => `/authorize/${encodeURIComponent(uid)}`,
  /** Redirect URI of test sign-ins: passes the authorization response to the page that opened the window. */
  testSignIn: '/developers/test-sign-in',
  acceptInvitation: (token: string) => `/accept-invitation/${encodeURIComponent(token)}`,
  changePassword: '/change-password',
  admin: '/admin',
  /** Where an operator without a passkey and second factor is led; it continues at the query parameter `redirect`. */
  protectAccount: '/admin/protect-account',
  adminOverview: '/admin/overview',
  adminPeople: '/admin/people',
  adminPerson: (id: string) => `/admin/people/${encodeURIComponent(id)}`,
  adminOrganizations: '/admin/organizations',
  /** Those in one state. */
  adminOrganizationsIn: (status: string) => withQuery('/admin/organizations', { status }),
  adminOrganization: (id: string) => `/admin/organizations/${encodeURIComponent(id)}`,
  adminApps: '/admin/apps',
  /** The list with one app alone. */
  adminApp: (client: string) => withQuery('/admin/apps', { query: client }),
  adminAppsIn: (status: string) => withQuery('/admin/apps', { status }),
  adminGroups: '/admin/groups',
  adminGroup: (key: string) => `/admin/groups/${encodeURIComponent(key)}`,
  adminOperators: '/admin/operators',
  adminSignIn: '/admin/sign-in',
  adminLook: '/admin/look',
  adminAudit: '/admin/audit',
  adminSystem: '/admin/system',
  /** The steps of setting up an installation that follow. */
  adminSetup: '/admin/setup',
  /** Makes the first operator of a new installation. */
  setup: (token: string) => `/admin/setup/${encodeURIComponent(token)}`,
  yourInfo: '/your-info',
  /** With the form of one entry opened. */
  info: (info: string) => `/your-info/${info}`,
  privacy: '/privacy',
  activity: '/privacy/activity',
  /** Activity of one session. */
  activityOf: (session: string) => withQuery('/privacy/activity', { session_id: session }),
  privacySettings: '/privacy/settings',
  requestData: '/privacy/request-data',
  security: '/security',
  securityPassword: '/security/change-password',
  passkeys: '/security/passkeys',
  twoFactor: '/security/two-factor-authentication',
  devices: '/devices',
  connectedApps: '/applications',
  connectedApp: (client: string) => withQuery('/applications', { app: client }),
  developers: '/developers',
  createDeveloper: '/developers?create=true',
  docs: '/developers/docs',
  /** One page of the documentation; its table of contents for an empty name. */
  guide: (page: string, anchor = '') => `/developers/docs${page && `/${page}`}${anchor && `#${anchor}`}`,
  selectDeveloper: (redirect?: string) => withQuery('/developers/select', { redirect }),
  applications: (developer: string) => `/developers/${encodeURIComponent(developer)}/applications`,
  client: (developer: string, client: string, tab: ClientTab = 'details') =>
    `/developers/${encodeURIComponent(developer)}/applications/${encodeURIComponent(client)}/${tab}`,
  /** Apps of the current organization, which the page guard adds. */
  ownApplications: '/developers/applications',
  users: (developer: string) => `/developers/${encodeURIComponent(developer)}/user-management`,
  members: (developer: string) => `/developers/${encodeURIComponent(developer)}/members`,
  organization: (developer: string) => `/developers/${encodeURIComponent(developer)}/settings`,
  organizationActivity: (developer: string) => `/developers/${encodeURIComponent(developer)}/settings/activity`,
}
export type ClientTab = 'details' | 'development' | 'quick-start' | 'scopes'

/**
 * Fills the parameters of a path pattern (`/a/$id/{-$optional}`), percent-encoded. An optional parameter without a value
 * is removed together with its slash.
 */
export function fillPath(pattern: string, params: Record<string, string | undefined>): string {
  return pattern.replace(/\/\{-\$(\w+)\}|\/\$(\w+)/g, (_, optional, required) => {
    const value = params[optional ?? required]
    return value === undefined ? '' : `/${encodeURIComponent(value)}`
  })
}

/** A path with those parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value)
  return search.size ? `${path}?${search}` : path
}

/** Whether an address of this origin is answered by the API or a protocol endpoint, not by a page. */
export function isServerAddress(href: string): boolean {
  const url = new URL(href, 'https://here.invalid')
  if (/^\/(?:v1|\.well-known|authorize|end-session|mailbox)(?:\/|$)/.test(url.pathname)) return true
  return url.pathname === '/oauth' && (url.searchParams.has('response_type') || url.searchParams.has('request_uri'))
}
