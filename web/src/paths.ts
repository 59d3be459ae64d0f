/** Every address of the specification §2 that pages link to. Ids are put in here and nowhere else. */
export const paths = {
  home: '/home',
  login: (redirect?: string) => withQuery('/login', { redirect }),
  signUp: (redirect?: string) => withQuery('/login', { register: 'true', redirect }),
  /** Both with the address filled in. */
  loginAs: (email: string, redirect: string) => withQuery('/login', { login_hint: email, redirect }),
  signUpAs: (email: string, redirect: string) => withQuery('/login', { register: 'true', login_hint: email, redirect }),
  /** Login that does not ask who this is: after a logout, or when the guard has asked already. */
  loginUnasked: (redirect?: string) => withQuery('/login', { redirect, skip: 'true' }),
  logout: '/logout',
  /** Signs out what is left of a session and keeps the way back. */
  sessionEnded: (redirect?: string) => withQuery('/logout', { redirect }),
  verify: (redirect?: string) => withQuery('/verify', { redirect }),
  /** Where somebody types the code of a device, and what then waits for their answer. */
  device: (code: string) => withQuery('/device', { user_code: code }),
  consent: (request: { uid: string; client_id: string; scope: string }) => withQuery('/oauth', request),
  acceptInvitation: (token: string) => `/accept-invitation/${encodeURIComponent(token)}`,
  changePassword: '/change-password',
  yourInfo: '/your-info',
  /** One entry of it, opened. */
  info: (info: string) => `/your-info/${info}`,
  privacy: '/privacy',
  activity: '/privacy/activity',
  /** What was done on one device. */
  activityOf: (session: string) => withQuery('/privacy/activity', { session_id: session }),
  privacySettings: '/privacy/settings',
  requestData: '/privacy/request-data',
  security: '/security',
  securityPassword: '/security/change-password',
  twoFactor: '/security/two-factor-authentication',
  devices: '/devices',
  connectedApps: '/applications',
  connectedApp: (client: string) => withQuery('/applications', { app: client }),
  developers: '/developers',
  createDeveloper: '/developers?create=true',
  docs: '/developers/docs',
  /** One page of the documentation; without a name its contents. */
  guide: (page: string, anchor = '') => `/developers/docs${page && `/${page}`}${anchor && `#${anchor}`}`,
  selectDeveloper: (redirect?: string) => withQuery('/developers/select', { redirect }),
  applications: (developer: string) => `/developers/${encodeURIComponent(developer)}/applications`,
  client: (developer: string, client: string, tab: ClientTab = 'details') =>
    `/developers/${encodeURIComponent(developer)}/applications/${encodeURIComponent(client)}/${tab}`,
  users: (developer: string) => `/developers/${encodeURIComponent(developer)}/user-management`,
  members: (developer: string) => `/developers/${encodeURIComponent(developer)}/members`,
  organization: (developer: string) => `/developers/${encodeURIComponent(developer)}/settings`,
  organizationActivity: (developer: string) => `/developers/${encodeURIComponent(developer)}/settings/activity`,
}
export type ClientTab = 'details' | 'development' | 'quick-start' | 'scopes'

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value)
  return search.size ? `${path}?${search}` : path
}

/** Whether an address of this origin is the server's to answer: the protocol endpoints and the API, not a page. */
export function isServerAddress(href: string): boolean {
  const url = new URL(href, 'https://here.invalid')
  if (/^\/(?:v1|\.well-known|authorize|end-session|mailbox)(?:\/|$)/.test(url.pathname)) return true
  return url.pathname === '/oauth' && (url.searchParams.has('response_type') || url.searchParams.has('request_uri'))
}
