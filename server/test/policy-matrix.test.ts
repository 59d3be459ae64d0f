import { developers, type InputOf, members, policy, security, sessions, signIn } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from './authenticator.ts'
import { createOperator, type Operator } from './operator.ts'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { mailedToken, type RegisteredUser, registerConfirmedUser } from './registered-user.ts'
import { good, type Phone, withSecondFactor } from './second-factor.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** Which ways to register and to sign in are open under each policy (operators §8), tried on the real server. */

const PASSWORD = 'kamen-na-kamen-palaca'
const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' }

let server: TestServer
let ana: Operator
let ivo: RegisteredUser
/** Without second factor; `jan` is a member of an organization. */
let eva: RegisteredUser
let jan: RegisteredUser
let twoSteps: { person: RegisteredUser; phone: Phone }
const key = authenticator()
const adminKey = authenticator()

beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
  const organization = await createOrganization(server, ana)
  // So that sign-in with a password can be turned off.
  const options = good(await ana.call(security.passkeyOptions))
  good(await ana.call(security.addPasskey, { name: 'Key', response: adminKey.create(options) }))
  ivo = await registerConfirmedUser(server)
  jan = await registerConfirmedUser(server)
  await organization.grant(jan, 'member')
  const mine = good(await ivo.call(security.passkeyOptions))
  good(await ivo.call(security.addPasskey, { name: 'Key', response: key.create(mine) }))
  const person = await registerConfirmedUser(server)
  twoSteps = { person, phone: (await withSecondFactor(server, person)).phone }
})
afterAll(() => server.close())

type Result = { ok: true; data?: unknown } | { ok: false; problem: { code: string } }
/** The next step of a sign-in, `done`, or the code of the problem. */
const outcome = (answer: Result) =>
  answer.ok ? ((answer.data as { next?: string } | undefined)?.next ?? 'done') : answer.problem.code

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

/** What was prepared before the policy changed: a pending second step, options of a passkey, an approved code. */
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
  'found an organization, without second factor': async () =>
    outcome(await eva.call(developers.createDeveloper, { name: 'Burja' })),
  'found an organization, with a passkey': async () =>
    outcome(await ivo.call(developers.createDeveloper, { name: 'Burja' })),
  'show a QR code': async () => outcome(await server.browser().call(signIn.createQrCode)),
  'sign in, QR code': async ({ screen, code }) => good(await screen.call(signIn.getQrCode, { code })).state,
}

/** What differs from the default of each way under a policy. */
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
    Object.fromEntries(
      [
        'sign in, password',
        'sign in, second step',
        'sign in, passkey',
        'sign in, without second factor',
        'sign in, developer without second factor',
      ].map((way) => [way, 'terms']),
    ),
  ],
  [
    'a second factor for developers',
    { second_factor: 'developers' },
    {
      'sign in, developer without second factor': 'second_factor_setup',
      'found an organization, without second factor': 'second_factor_required',
    },
  ],
  [
    'a second factor for everyone',
    { second_factor: 'everyone' },
    {
      'sign in, without second factor': 'second_factor_setup',
      'sign in, developer without second factor': 'second_factor_setup',
      'found an organization, without second factor': 'second_factor_required',
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

describe('ways to register and to sign in', () => {
  test.each(POLICIES)('with %s', async (_, changes, differs) => {
    const before = good(await ana.call(policy.getPolicy))
    const started = await prepared()
    await set(changes)
    try {
      const tried = await Promise.all(
        Object.entries(WAYS).map(async ([way, attempt]) => [way, await attempt(started)] as const),
      )
      expect(Object.fromEntries(tried)).toEqual({ ...USUAL, ...differs })
    } finally {
      await set(before)
    }
  })
})
