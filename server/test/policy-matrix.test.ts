import {
  clients,
  connections,
  DEVELOPER_HEADER,
  developers,
  type InputOf,
  members,
  policy,
  security,
  sessions,
  signIn,
} from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminClient } from '../src/features/admin-clients/public.ts'
import { createAdminOrganization } from '../src/features/admin-organizations/public.ts'
import { issueRegistrationToken } from '../src/features/client-registration/public.ts'
import { authenticator } from './authenticator.ts'
import { createOperator, type Operator } from './operator.ts'
import { createOrganization, type Organization } from './organization.ts'
import { people } from './people.ts'
import { mailedToken, type RegisteredUser, registerConfirmedUser } from './registered-user.ts'
import { good, type Phone, withSecondFactor } from './second-factor.ts'
import { type Caller, startTestServer, type TestServer } from './test-server.ts'
import { post, SCOPE, type ThirdParty } from './third-party.ts'

/**
 * The ways to register, to sign in, to found an organization and to create an app that each policy allows (operators §8,
 * §12), tried on the real server.
 */

const PASSWORD = 'kamen-na-kamen-palaca'
const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' }

let server: TestServer
let ana: Operator
let ivo: RegisteredUser
/** People without second factor; `jan` is a member of an organization. */
let eva: RegisteredUser
let jan: RegisteredUser
/** A developer, who is signed in by QR code in `byQr`. */
let developer: RegisteredUser
let byQr: Caller
let organization: Organization
let television: ThirdParty
let twoSteps: { person: RegisteredUser; phone: Phone }
const key = authenticator()
const adminKey = authenticator()

beforeAll(async () => {
  server = await startTestServer({ VRATA_CLIENT_REGISTRATION: 'on' })
  ana = await createOperator(server, people.ana, 'admin')
  organization = await createOrganization(server, ana)
  television = { ...(await organization.app({ name: 'Television', type: 'native' })), client_secret: null }
  // Allows sign-in with a password to be turned off.
  const options = good(await ana.call(security.passkeyOptions))
  good(await ana.call(security.addPasskey, { name: 'Key', response: adminKey.create(options) }))
  ivo = await registerConfirmedUser(server)
  jan = await registerConfirmedUser(server)
  await organization.grant(jan, 'member')
  developer = await registerConfirmedUser(server)
  await organization.join(developer, 'developer')
  byQr = server.browser()
  const { code, match } = good(await byQr.call(signIn.createQrCode))
  good(await developer.call(signIn.getQrCode, { code }))
  good(await developer.call(sessions.reauthenticate, { password: developer.password }))
  good(await developer.call(signIn.answerQrCode, { code, approve: true, match }))
  good(await byQr.call(signIn.getQrCode, { code }))
  good(await byQr.call(sessions.refresh, { developer_id: organization.developer_id }))
  const mine = good(await ivo.call(security.passkeyOptions))
  good(await ivo.call(security.addPasskey, { name: 'Key', response: key.create(mine) }))
  const person = await registerConfirmedUser(server)
  twoSteps = { person, phone: (await withSecondFactor(server, person)).phone }
})
afterAll(() => server.close())

type Result = { ok: true; data?: unknown } | { ok: false; problem: { code: string } }
type Data = { next?: string; approval?: string | null } | undefined
/** The next step of a sign-in, `pending` for what waits for approval, `done`, or the code of the problem. */
const outcome = (answer: Result) =>
  answer.ok ? ((answer.data as Data)?.next ?? (answer.data as Data)?.approval ?? 'done') : answer.problem.code

let newcomers = 0
const newcomer = (domain: string) => `newcomer-${++newcomers}@${domain}`

async function invited(): Promise<{ email: string; invitation: string }> {
  const email = newcomer('elsewhere.example')
  good(await ana.call(members.inviteMember, { email }))
  return { email, invitation: await mailedToken(server, email) }
}

async function postForm(path: string, fields: Record<string, string>): Promise<string> {
  const payload = new URLSearchParams(fields).toString()
  const answer = await server.browser().request({ method: 'POST', url: path, headers: FORM, payload })
  const to = new URL(String(answer.headers.location), 'http://localhost:3000')
  return to.searchParams.get('problem') ?? 'done'
}

const register = async (input: Omit<InputOf<typeof signIn.register>, 'password'>) =>
  outcome(await server.browser().call(signIn.register, { ...input, password: PASSWORD }))

const found = async (by: Caller) => outcome(await by.call(developers.createDeveloper, { name: 'Burja' }))

/** Creates an app in the organization of the tests, whichever the session has now. */
async function createApp(by: Caller): Promise<string> {
  const { developer_id } = organization
  const headers = { [DEVELOPER_HEADER]: developer_id }
  const answer = await by.request({ method: 'POST', url: '/v1/client', headers, payload: { name: 'App' } })
  const { data, error } = answer.json()
  return error ? error.code : (data.approval ?? 'done')
}

/** Registers an app by RFC 7591 in the name of a member. */
async function registerByProgram(email: string): Promise<string> {
  const terms = { developer_id: organization.developer_id, email, uses: 1, days: 1, require_pkce: true }
  const issued = await server.deps.transaction((tx) => issueRegistrationToken(tx, COMMAND, terms))
  const headers = { authorization: `Bearer ${issued?.token}` }
  const payload = { redirect_uris: ['https://program.example/callback'] }
  const { client_id, error } = (
    await server.app.inject({ method: 'POST', url: '/register-client', headers, payload })
  ).json()
  if (error) return error
  const made = server.store.db.selectFrom('clients').select('approval').where('client_id', '=', client_id)
  return (await made.executeTakeFirstOrThrow()).approval ?? 'done'
}
const COMMAND = { command: 'test' }

/** Lets a device sign in with the session of a browser. */
async function signDeviceIn(by: Caller): Promise<string> {
  const started = (await post(server, television, '/device_authorization', { scope: SCOPE })).json()
  const opened = await by.call(connections.openDeviceCode, { user_code: started.user_code })
  if (!opened.ok) return opened.problem.code
  const { uid, client_id: client } = opened.data
  const allowed = await by.call(connections.submitConsent, { client, uid, scopes: SCOPE.split(' ') })
  if (!allowed.ok) return allowed.problem.code
  const form = { grant_type: clients.DEVICE_GRANT, device_code: started.device_code }
  return (await post(server, television, '/token', form)).json().error ?? 'done'
}

/** State prepared before the policy changed: a pending second step, options of a passkey, an approved code. */
async function prepared() {
  // A new one each time, because founding an organization makes a developer.
  eva = await registerConfirmedUser(server)
  const half = server.browser()
  good(await half.call(signIn.login, { username: twoSteps.person.email, password: twoSteps.person.password }))
  const withKey = server.browser()
  const options = good(await withKey.call(signIn.passkeyLoginOptions))
  const screen = server.browser()
  const { code, match } = good(await screen.call(signIn.createQrCode))
  good(await ivo.call(signIn.getQrCode, { code }))
  good(await ivo.call(sessions.reauthenticate, { password: ivo.password }))
  good(await ivo.call(signIn.answerQrCode, { code, approve: true, match }))
  return { half, withKey, options, screen, code }
}
type Prepared = Awaited<ReturnType<typeof prepared>>

const WAYS: Record<string, (started: Prepared) => Promise<string>> = {
  'register, any address': () => register({ email: newcomer('elsewhere.example') }),
  'register, form without script': () =>
    postForm('/login', { email: newcomer('elsewhere.example'), password: PASSWORD }),
  'register, address of the domain': () => register({ email: newcomer('palaca.example') }),
  'register, invited': async () => register(await invited()),
  'register, invited, form without script': async () => {
    const { email, invitation } = await invited()
    return await postForm(`/login?redirect=%2Faccept-invitation%2F${invitation}`, { email, password: PASSWORD })
  },
  'register, with the invitation of another': async () =>
    register({ ...(await invited()), email: newcomer('elsewhere.example') }),
  'sign in, password': async () =>
    outcome(await server.browser().call(signIn.login, { username: ivo.email, password: ivo.password })),
  'sign in, password, form without script': () => postForm('/login', { username: ivo.email, password: ivo.password }),
  'sign in, second step': async ({ half }) =>
    outcome(await half.call(signIn.loginOtp, { otp_token: twoSteps.phone.code() })),
  'ask for a password link': async () =>
    outcome(await server.browser().call(signIn.forgotPassword, { email: ivo.email })),
  'begin with a passkey': async () => outcome(await server.browser().call(signIn.passkeyLoginOptions)),
  'sign in, passkey': async ({ withKey, options }) =>
    outcome(await withKey.call(signIn.passkeyLogin, { response: key.get(options) })),
  'sign in, without second factor': async () =>
    outcome(await server.browser().call(signIn.login, { username: eva.email, password: eva.password })),
  'sign in, developer without second factor': async () =>
    outcome(await server.browser().call(signIn.login, { username: jan.email, password: jan.password })),
  'sign in on a device, with an open session': () => signDeviceIn(ivo),
  'sign in on a device, with a new session': async () => {
    const browser = server.browser()
    await browser.call(signIn.login, { username: ivo.email, password: ivo.password })
    return await signDeviceIn(browser)
  },
  'found an organization, without second factor': () => found(eva),
  'found an organization, with a passkey': () => found(ivo),
  'found an organization, signed in by QR code': () => found(byQr),
  'found an organization, as an administrator': () => found(ana),
  'found an organization, by command': async () => {
    const input = { name: 'Burja', owner: ivo.email }
    return outcome({
      ok: true,
      data: await server.deps.transaction((tx) => createAdminOrganization(tx, COMMAND, input)),
    })
  },
  'create an app, as a member': () => createApp(developer),
  'create an app, signed in by QR code': () => createApp(byQr),
  'create an app, as an administrator': () => createApp(ana),
  'create an app, by a program': () => registerByProgram(developer.email),
  'create an app, by a program of an administrator': () => registerByProgram(people.ana.email),
  'create an app, by command': async () => {
    const input = { name: 'App', type: 'web', developer_id: organization.developer_id } as const
    return outcome({ ok: true, data: await server.deps.transaction((tx) => createAdminClient(tx, COMMAND, input)) })
  },
  'show a QR code': async () => outcome(await server.browser().call(signIn.createQrCode)),
  'sign in, QR code': async ({ screen, code }) => good(await screen.call(signIn.getQrCode, { code })).state,
}

/** Differences from the default of each way to sign in under a policy. */
const POLICIES: [name: string, changes: InputOf<typeof policy.updatePolicy>, differs: Record<string, string>][] = [
  ['the defaults', {}, {}],
  [
    'only addresses of a domain',
    { registration: 'domains', registration_domains: ['palaca.example'] },
    {
      'register, any address': 'registration_closed',
      'register, form without script': 'registration_closed',
      'register, invited': 'registration_closed',
      'register, invited, form without script': 'registration_closed',
      'register, with the invitation of another': 'registration_closed',
    },
  ],
  [
    'only invited people',
    { registration: 'invited' },
    {
      'register, any address': 'registration_closed',
      'register, form without script': 'registration_closed',
      'register, address of the domain': 'registration_closed',
      'register, with the invitation of another': 'registration_closed',
    },
  ],
  ['nobody', { registration: 'closed' }, closed()],
  [
    'no passwords',
    { password_sign_in: false },
    {
      ...closed(),
      'sign in, password': 'sign_in_method_off',
      'sign in, password, form without script': 'sign_in_method_off',
      'sign in, second step': 'sign_in_method_off',
      'ask for a password link': 'sign_in_method_off',
      'sign in, without second factor': 'sign_in_method_off',
      'sign in on a device, with a new session': 'unauthenticated',
      'sign in, developer without second factor': 'sign_in_method_off',
    },
  ],
  [
    'no passkeys',
    { passkey_sign_in: false },
    { 'begin with a passkey': 'sign_in_method_off', 'sign in, passkey': 'sign_in_method_off' },
  ],
  [
    'terms of use',
    { terms_url: 'https://palaca.example/terms', terms_version: '1' },
    {
      ...Object.fromEntries(
        [
          'sign in, password',
          'sign in, second step',
          'sign in, passkey',
          'sign in, without second factor',
          'sign in, developer without second factor',
        ].map((way) => [way, 'terms']),
      ),
      'sign in on a device, with a new session': 'sign_in_incomplete',
    },
  ],
  [
    'a second factor for developers',
    { second_factor: 'developers' },
    {
      'sign in, developer without second factor': 'second_factor_setup',
      'found an organization, without second factor': 'second_factor_required',
      'found an organization, signed in by QR code': 'second_factor_required',
    },
  ],
  [
    'a second factor for everyone',
    { second_factor: 'everyone' },
    {
      'sign in, without second factor': 'second_factor_setup',
      'sign in, developer without second factor': 'second_factor_setup',
      'found an organization, without second factor': 'second_factor_required',
      'found an organization, signed in by QR code': 'second_factor_required',
    },
  ],
  [
    'organizations that operators approve',
    { organization_creation: 'approved' },
    {
      'found an organization, without second factor': 'pending',
      'found an organization, with a passkey': 'pending',
      'found an organization, signed in by QR code': 'pending',
    },
  ],
  [
    'organizations of administrators only',
    { organization_creation: 'operators' },
    {
      'found an organization, without second factor': 'organization_creation_closed',
      'found an organization, with a passkey': 'organization_creation_closed',
      'found an organization, signed in by QR code': 'organization_creation_closed',
    },
  ],
  [
    'apps that operators approve',
    { app_creation: 'approved' },
    {
      'create an app, as a member': 'pending',
      'create an app, signed in by QR code': 'pending',
      'create an app, by a program': 'pending',
      'create an app, by a program of an administrator': 'pending',
    },
  ],
  ['no QR codes', { qr_sign_in: false }, { 'show a QR code': 'not_found', 'sign in, QR code': 'expired' }],
]

function closed(): Record<string, string> {
  return Object.fromEntries(
    Object.keys(WAYS).flatMap((way) => (way.startsWith('register') ? [[way, 'registration_closed']] : [])),
  )
}

const USUAL = Object.fromEntries(
  Object.keys(WAYS).map((way) => [way, way === 'sign in, QR code' ? 'approved' : 'done']),
)

async function set(changes: InputOf<typeof policy.updatePolicy>): Promise<void> {
  good(await ana.call(sessions.reauthenticate, { password: people.ana.password }))
  good(await ana.call(policy.updatePolicy, changes))
}

describe('ways to register, to sign in, to found an organization and to create an app', () => {
  test.each(POLICIES)('with %s', async (_, changes, differs) => {
    const before = good(await ana.call(policy.getPolicy))
    const started = await prepared()
    await set(changes)
    try {
      const tried: [way: string, outcome: string][] = []
      // Apps come afterwards: they, like invitations, lock the organization.
      for (const apps of [false, true]) {
        const ways = Object.entries(WAYS).filter(([way]) => way.startsWith('create an app') === apps)
        tried.push(
          ...(await Promise.all(ways.map(async ([way, attempt]) => [way, await attempt(started)] as [string, string]))),
        )
      }
      expect(Object.fromEntries(tried)).toEqual({ ...USUAL, ...differs })
    } finally {
      await set(before)
    }
  })
})
