import type { UserInfo } from '@vrata/contract/account'
import { describe, expect, test } from 'vitest'
import { type Door, guard } from './guard.ts'

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
  developer_accounts: [],
  developer_id: null,
  permission: null,
  session_id: 's',
  password_updated_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
}
const unconfirmed = { ...ana, email_verified: false }
const inJadro: UserInfo = { ...ana, developer_id: 'jadro', permission: 'developer' }
const asMember: UserInfo = { ...inJadro, permission: 'member' }

const login: Door = { needs: 'nobody', role: 'login' }
const consent: Door = { needs: 'session', role: 'consent' }
const logout: Door = { needs: 'nobody', role: 'logout' }
const open: Door = { needs: 'nobody' }
const home: Door = { needs: 'session' }
const intro: Door = { needs: 'session', confirmed: true }
const apps: Door = { needs: 'member', confirmed: true }
const users: Door = { needs: 'analyst', confirmed: true }

type Who = UserInfo | null | undefined
type Case = [says: string, door: Door, address: string, who: Who, verdict: string]

/** Writes a verdict on one line, so that the table reads like the specification. */
function verdictOf(door: Door, address: string, who: Who): string {
  const url = new URL(address, 'https://vrata.test')
  const developer_id = /^\/developers\/(?!select|docs|applications)([^/]+)\//.exec(url.pathname)?.[1]
  const verdict = guard(door, { href: address, query: Object.fromEntries(url.searchParams), developer_id }, who)
  if (verdict.do === 'go') return `go ${verdict.to}${verdict.because ? ` because ${verdict.because}` : ''}`
  if (verdict.do === 'switch-developer') return `switch to ${verdict.developer_id} or go ${verdict.otherwise}`
  return verdict.do
}

const table: Case[] = [
  ['loads the person first', home, '/home', undefined, 'load-user'],
  ['loads the person on a public page, too', login, '/login', undefined, 'load-user'],
  ['does not ask on logout', logout, '/logout', undefined, 'stay'],
  ['does not ask with the skip flag', login, '/login?skip=true', undefined, 'stay'],
  ['sends nobody to login, with the way back', home, '/home?a=1', null, 'go /login?redirect=%2Fhome%3Fa%3D1&skip=true'],
  ['treats skip as nobody', home, '/home?skip=true', undefined, 'go /login?redirect=%2Fhome%3Fskip%3Dtrue&skip=true'],
  ['lets nobody see public pages', open, '/developers/docs', null, 'stay'],
  ['lets somebody see public pages', open, '/confirm-email/t', ana, 'stay'],
  ['lets somebody sign out', logout, '/logout', ana, 'stay'],
  ['sends somebody signed in from login to /', login, '/login', ana, 'go /'],
  ['sends somebody signed in to the redirect', login, '/login?redirect=%2Fdevices', ana, 'go /devices'],
  ['even with the skip flag', login, '/login?redirect=%2Fdevices&skip=true', ana, 'go /devices'],
  ['lets somebody sign in anew when an app asks', login, '/login?redirect=%2Fauthorize%2Fx&prompt=login', ana, 'stay'],
  ['tells anybody what is wrong with a request', consent, '/oauth?error=invalid_client', null, 'stay'],
  ['asks nobody for consent', consent, '/oauth?uid=x', null, 'go /login?redirect=%2Foauth%3Fuid%3Dx&skip=true'],
  ['follows no redirect to another site', login, '/login?redirect=https%3A%2F%2Fevil.test', ana, 'go /'],
  ['follows no redirect to another host', login, '/login?redirect=%2F%2Fevil.test', ana, 'go /'],
  ['follows no redirect in a circle', login, '/login?redirect=%2Flogin', ana, 'go /'],
  ['opens personal pages', home, '/home', ana, 'stay'],
  ['opens personal pages before the address is confirmed', home, '/home', unconfirmed, 'stay'],
  [
    'keeps the unconfirmed out of the developer area',
    intro,
    '/developers',
    unconfirmed,
    'go /verify?redirect=%2Fdevelopers',
  ],
  [
    '… on every page of it',
    apps,
    '/developers/jadro/applications',
    unconfirmed,
    'go /verify?redirect=%2Fdevelopers%2Fjadro%2Fapplications',
  ],
  ['opens the intro without a developer account', intro, '/developers', ana, 'stay'],
  ['stays with the current developer', apps, '/developers/jadro/applications', inJadro, 'stay'],
  [
    'switches to another developer',
    apps,
    '/developers/burja/applications?q=1',
    inJadro,
    'switch to burja or go /developers/applications?q=1',
  ],
  [
    'switches from the personal account',
    apps,
    '/developers/burja/members',
    ana,
    'switch to burja or go /developers/members',
  ],
  [
    'puts the current developer into the path',
    apps,
    '/developers/applications?q=1',
    inJadro,
    'go /developers/jadro/applications?q=1',
  ],
  [
    'asks for a developer when there is none',
    apps,
    '/developers/applications',
    ana,
    'go /developers/select?redirect=%2Fdevelopers%2Fapplications',
  ],
  ['sends too low a level home', users, '/developers/jadro/user-management', asMember, 'go /home because level'],
  ['opens to a level above', users, '/developers/jadro/user-management', inJadro, 'stay'],
]

describe('§2 route guard', () => {
  test.each(table)('%s', (_, door, address, who, verdict) => {
    expect(verdictOf(door, address, who)).toBe(verdict)
  })
})
