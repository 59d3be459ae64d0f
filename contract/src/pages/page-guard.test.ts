import { describe, expect, test } from 'vitest'
import type { UserInfo } from '../calls/account.ts'
import { type PageAccess, pageGuard } from './page-guard.ts'

const ana: UserInfo = {
  id: 'ana',
  first_name: 'Ana',
  last_name: 'Novak',
  profile_picture: null,
  username: null,
  email: 'ana@example.com',
  email_verified: true,
  pending_email: null,
  phone_number: null,
  birth_date: null,
  country_code: null,
  country_name: null,
  language: ['sl-SI'],
  gender: null,
  allow_personalized_ads: false,
  allow_details_on_login: true,
  allow_qr_sign_in: true,
  otp_enabled: false,
  otp_enabled_at: null,
  recovery_codes_left: 0,
  has_password: true,
  passkeys: 0,
  passkey_offered: false,
  developer_accounts: [],
  developer_id: null,
  permission: null,
  operator_role: null,
  next_step: null,
  session_id: 's',
  password_updated_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
}
const unconfirmed = { ...ana, email_verified: false }
const inJadro: UserInfo = { ...ana, developer_id: 'jadro', permission: 'developer' }
const asMember: UserInfo = { ...inJadro, permission: 'member' }

const login: PageAccess = { needs: 'nobody', role: 'login' }
const consent: PageAccess = { needs: 'session', role: 'consent' }
const logout: PageAccess = { needs: 'nobody', role: 'logout' }
const open: PageAccess = { needs: 'nobody' }
const home: PageAccess = { needs: 'session' }
const intro: PageAccess = { needs: 'session', confirmed: true }
const apps: PageAccess = { needs: 'member', confirmed: true }
const users: PageAccess = { needs: 'analyst', confirmed: true }

type User = UserInfo | null | undefined
type Case = [says: string, page: PageAccess, address: string, user: User, result: string]

/** Writes a result on one line, for the table below. */
function resultOf(page: PageAccess, address: string, user: User): string {
  const url = new URL(address, 'https://vrata.test')
  const developer_id = /^\/developers\/(?!select|docs|applications)([^/]+)\//.exec(url.pathname)?.[1]
  const result = pageGuard(page, { href: address, query: Object.fromEntries(url.searchParams), developer_id }, user)
  if (result.do === 'go') return `go ${result.to}${result.because ? ` because ${result.because}` : ''}`
  if (result.do === 'switch-developer') return `switch to ${result.developer_id} or go ${result.otherwise}`
  return result.do
}

const table: Case[] = [
  ['loads the user first', home, '/home', undefined, 'load-user'],
  ['loads the user on a public page, too', login, '/login', undefined, 'load-user'],
  ['does not load the user on the logout page', logout, '/logout', undefined, 'stay'],
  ['does not load the user with the skip flag', login, '/login?skip=true', undefined, 'stay'],
  [
    'redirects visitors without a session to login and keeps the address',
    home,
    '/home?a=1',
    null,
    'go /login?redirect=%2Fhome%3Fa%3D1&skip=true',
  ],
  [
    'treats the skip flag as no session',
    home,
    '/home?skip=true',
    undefined,
    'go /login?redirect=%2Fhome%3Fskip%3Dtrue&skip=true',
  ],
  ['opens public pages without a session', open, '/developers/docs', null, 'stay'],
  ['opens public pages with a session', open, '/confirm-email/t', ana, 'stay'],
  ['opens the logout page with a session', logout, '/logout', ana, 'stay'],
  ['redirects signed-in users from login to /', login, '/login', ana, 'go /'],
  [
    'redirects signed-in users from login to the redirect parameter',
    login,
    '/login?redirect=%2Fdevices',
    ana,
    'go /devices',
  ],
  [
    'redirects signed-in users from login with the skip flag, too',
    login,
    '/login?redirect=%2Fdevices&skip=true',
    ana,
    'go /devices',
  ],
  [
    'opens login to signed-in users for prompt=login',
    login,
    '/login?redirect=%2Fauthorize%2Fx&prompt=login',
    ana,
    'stay',
  ],
  ['shows authorization errors without a session', consent, '/oauth?error=invalid_client', null, 'stay'],
  [
    'redirects to login before consent',
    consent,
    '/oauth?uid=x',
    null,
    'go /login?redirect=%2Foauth%3Fuid%3Dx&skip=true',
  ],
  ['ignores a redirect to another site', login, '/login?redirect=https%3A%2F%2Fevil.test', ana, 'go /'],
  ['ignores a redirect to another host', login, '/login?redirect=%2F%2Fevil.test', ana, 'go /'],
  ['ignores a redirect to login', login, '/login?redirect=%2Flogin', ana, 'go /'],
  ['opens pages that need a session', home, '/home', ana, 'stay'],
  ['opens pages that need a session before the email is confirmed', home, '/home', unconfirmed, 'stay'],
  [
    'redirects unconfirmed users from the developer introduction',
    intro,
    '/developers',
    unconfirmed,
    'go /verify?redirect=%2Fdevelopers',
  ],
  [
    'redirects unconfirmed users from organization pages',
    apps,
    '/developers/jadro/applications',
    unconfirmed,
    'go /verify?redirect=%2Fdevelopers%2Fjadro%2Fapplications',
  ],
  ['opens the introduction without an organization', intro, '/developers', ana, 'stay'],
  ['stays in the current organization', apps, '/developers/jadro/applications', inJadro, 'stay'],
  [
    'switches to another organization',
    apps,
    '/developers/burja/applications?q=1',
    inJadro,
    'switch to burja or go /developers/applications?q=1',
  ],
  [
    'switches to an organization when none is current',
    apps,
    '/developers/burja/members',
    ana,
    'switch to burja or go /developers/members',
  ],
  [
    'adds the current organization to the path',
    apps,
    '/developers/applications?q=1',
    inJadro,
    'go /developers/jadro/applications?q=1',
  ],
  [
    'redirects to the choice of an organization when none is current',
    apps,
    '/developers/applications',
    ana,
    'go /developers/select?redirect=%2Fdevelopers%2Fapplications',
  ],
  [
    'redirects members below the level to home',
    users,
    '/developers/jadro/user-management',
    asMember,
    'go /home because level',
  ],
  ['opens pages to members above the level', users, '/developers/jadro/user-management', inJadro, 'stay'],
]

describe('route guard (product §2)', () => {
  test.each(table)('%s', (_, page, address, user, result) => {
    expect(resultOf(page, address, user)).toBe(result)
  })
})

describe('a page of operators', () => {
  const people: PageAccess = { needs: 'operator:support' }
  const address = { href: '/admin/people', query: {} }
  const operator: UserInfo = { ...ana, operator_role: 'support', otp_enabled: true }

  test('opens for the role and above', () => {
    expect(pageGuard(people, address, operator)).toEqual({ do: 'stay' })
    expect(pageGuard(people, address, { ...operator, operator_role: 'admin' })).toEqual({ do: 'stay' })
  })

  test('leads all others to the start page', () => {
    const home = { do: 'go', to: '/home' }
    expect(pageGuard(people, address, { ...operator, operator_role: null })).toEqual(home)
    expect(pageGuard(people, address, { ...operator, operator_role: 'auditor' })).toEqual(home)
  })

  test('leads an operator without a passkey and second factor to one', () => {
    const bare = { ...operator, otp_enabled: false, passkeys: 0 }
    expect(pageGuard(people, address, bare)).toEqual({ do: 'go', to: '/admin/protect-account' })
    expect(pageGuard(people, address, { ...bare, passkeys: 1 })).toEqual({ do: 'stay' })
  })
})
