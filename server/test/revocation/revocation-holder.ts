import { account, clients, connections, members, security, signIn } from '@vrata/contract'
import { expect } from 'vitest'
import { resetFactors } from '../../src/features/admin-users/public.ts'
import { authenticator } from '../authenticator.ts'
import { AllRows, changesOf } from '../oracle/rows.ts'
import { createOrganization, type Organization } from '../organization.ts'
import { jadrolet } from '../people.ts'
import { mailedToken, type RegisteredUser, registerConfirmedUser } from '../registered-user.ts'
import { good, withSecondFactor } from '../second-factor.ts'
import { connectSocket, type TestSocket } from '../sockets.ts'
import type { Caller, SignedIn, TestServer } from '../test-server.ts'
import { allow, authorize, follow, here, post, proofKey, type ThirdParty, type Tokens } from '../third-party.ts'

const SCOPES = 'openid email offline_access'

/** An app with its organization and owner. */
export interface App extends ThirdParty {
  owner: SignedIn
  organization: Organization
  name: string
  /** A service of the organization, which acts for the users of the app. */
  service: ThirdParty
}

const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token'

/** Browsers and apps of the grants; tokens also belong to an expired session. */
const GRANTS = [
  ['current', 'this'],
  ['other', 'this'],
  ['current', 'another'],
] as const

export type Sockets = Record<'current' | 'other', TestSocket>
export type Holder = Awaited<ReturnType<typeof createHolder>>

/**
 * Creates a user through the API who has one of everything that an event can end: in the browser that causes the event
 * (`current`) and in another one, for the app that the event concerns (`this`) and for another one.
 */
export async function createHolder(server: TestServer, { secondFactor }: { secondFactor: boolean }) {
  const person = await registerConfirmedUser(server)
  const owner = await registerConfirmedUser(server)
  const another = await createApp(server, owner, 'Burja')
  const received = good(await owner.call(members.inviteMember, { email: person.email })).link
  const app = await createApp(server, owner, 'Kraški studio')
  await app.organization.join(person, 'admin')
  const sent = good(await person.call(members.inviteMember, { email: `guest-${person.email}` })).link

  const factor = secondFactor ? await withSecondFactor(server, person) : undefined
  const keys = [await addPasskey(person), await addPasskey(person)] as const
  for (const one of [app, another]) await allow(person, one, SCOPES)
  const signedIn = () => signInWithCode(server, person, () => factor?.phone.code() ?? '')
  const at = { current: person, other: await signedIn(), expired: await signedIn() }

  const grantIn = async (browser: keyof typeof at, which: 'this' | 'another') => {
    const of = which === 'this' ? app : another
    return { browser, app: which, of, ...(await requestWithConsent(at[browser], of)) }
  }
  const tokens = []
  for (const [browser, which] of [...GRANTS, ['expired', 'this']] as const) {
    const grant = await grantIn(browser, which)
    const answer = await post(server, grant.of, '/token', await grant.resume())
    const issued = answer.json() as Pick<Tokens, 'access_token' | 'refresh_token'>
    const form = { grant_type: clients.TOKEN_EXCHANGE_GRANT, subject_token: issued.access_token, subject_token_type }
    const exchanged = (await post(server, grant.of.service, '/token', form)).json() as Pick<Tokens, 'access_token'>
    tokens.push({ ...grant, ...issued, exchanged: exchanged.access_token })
  }
  // Earlier versions deleted the row of an expired session while tokens of `offline_access` still referred to it.
  await server.store.db.deleteFrom('sessions').where('id', '=', at.expired.user.session_id).execute()

  // A sign-in that waits comes before the throttles, because a correct password resets one of them.
  const pending = server.browser()
  if (factor) good(await pending.call(signIn.login, { username: person.email, password: person.password }))
  for (const browser of [at.other, server.browser()])
    await browser.call(signIn.login, { username: person.email, password: 'napacno-geslo-za-test' })
  await person.call(connections.openDeviceCode, { user_code: 'BCDF-GHJK' })

  await server.browser().call(signIn.forgotPassword, { email: person.email })
  const reset = await mailedToken(server, person.email)
  good(await person.call(account.updateAccount, { email: `next-${person.email}` }))
  const confirmation = await mailedToken(server, `next-${person.email}`)

  // As a command would: an operator would need an account of its own.
  const helper = { command: 'test', role: 'admin', locale: 'en-US' } as const
  await server.deps.transaction((tx) => resetFactors(tx, helper, { id: person.user.id, reason: 'A call' }))
  const kept = await mailedToken(server, person.email)

  const waiting = []
  for (const [browser, which] of GRANTS) waiting.push(await grantIn(browser, which))
  const approved = []
  for (const browser of ['current', 'other'] as const) {
    const screen = server.browser()
    const { code, match } = good(await screen.call(signIn.createQrCode))
    good(await at[browser].call(signIn.answerQrCode, { code, approve: true, match }))
    approved.push({ browser, screen, code })
  }
  const codes = []
  for (const [browser, which] of GRANTS) {
    const grant = await grantIn(browser, which)
    codes.push({ ...grant, form: await grant.resume() })
  }
  const requests = await createRequests(server, at, { this: app, another })
  const links = { reset, confirmation, sent, received, kept }
  return {
    person,
    at,
    app,
    another,
    factor,
    keys,
    tokens,
    codes,
    waiting,
    requests,
    pending,
    links,
    approved,
  }
}

/** Sockets of both browsers; closed when the test ends. */
export async function connectSockets(server: TestServer, { at }: Holder): Promise<Sockets> {
  const [current, other] = await Promise.all([connectSocket(server, at.current), connectSocket(server, at.other)])
  return { current, other }
}

/**
 * Resolves with a function that restores everything as it is now: rows, cookies, what the holder knows, the clock and the
 * cache of clients. Creating a holder takes thirty times as long. Sockets are not part of it.
 */
export async function keepHolder(server: TestServer, holder: Holder): Promise<() => Promise<void>> {
  const { person, at, app, another, pending, approved } = holder
  const rows = await AllRows.open(server.store)
  const start = await rows.read()
  const { email, password } = person
  const { client_secret } = app
  const browsers = [person, at.other, at.expired, app.owner, pending, ...approved.map(({ screen }) => screen)]
  const cookies = browsers.map((browser) => [...browser.cookies])
  const started_at = server.clock.now().getTime()
  return async () => {
    await rows.restore(start, await rows.read())
    // A cascade of a foreign key could delete more. Counts of sign-ins are written later.
    const changes = changesOf(start, await rows.read(), JSON.stringify)
    expect(changes.filter((change) => !change.startsWith('sign_in_days '))).toEqual([])
    for (const { client_id, service } of [app, another]) {
      for (const id of [client_id, service.client_id]) await server.store.signals.announce('client', id)
    }
    Object.assign(person, { email, password })
    Object.assign(app, { client_secret })
    browsers.forEach((browser, index) => {
      browser.cookies.clear()
      for (const [name, value] of cookies[index] ?? []) browser.cookies.set(name, value)
    })
    server.clock.advance((started_at - server.clock.now().getTime()) / 1000)
  }
}

async function createApp(server: TestServer, owner: RegisteredUser, name: string): Promise<App> {
  const organization = await createOrganization(server, owner, name)
  const { client_id, client_secret } = await organization.app()
  good(await owner.call(clients.updateClientInfo, { id: client_id, scopes: SCOPES.split(' ') }))
  const service = await organization.app({ type: 'service' })
  good(await owner.call(clients.updateClientInfo, { id: service.client_id, scopes: SCOPES.split(' ') }))
  good(await owner.call(clients.updateAdvanced, { id: client_id, backchannel_token_delivery_mode: 'poll' }))
  return { client_id, client_secret, redirect_uri: jadrolet.redirect_uri, owner, organization, name, service }
}

/** Backchannel authentication requests that the user has allowed in each browser, and open ones. */
async function createRequests(
  server: TestServer,
  at: { current: SignedIn; other: SignedIn },
  apps: Record<'this' | 'another', App>,
) {
  const wanted = [...GRANTS, [undefined, 'this'], [undefined, 'another']] as const
  const started = []
  for (const [browser, which] of wanted) {
    const binding_message = `${browser} ${which}`
    const form = { scope: SCOPES, login_hint: at.current.user.email, binding_message }
    const { auth_req_id } = (await post(server, apps[which], '/backchannel_authentication', form)).json()
    started.push({ browser, app: which, of: apps[which], binding_message, auth_req_id: auth_req_id as string })
  }
  await server.outbox()
  const shown = good(await at.current.call(connections.listRequests))
  for (const { browser, of, binding_message } of started) {
    const uid = shown.find((one) => one.binding_message === binding_message)?.uid ?? ''
    const answer = { client: of.client_id, uid, scopes: SCOPES.split(' ') }
    if (browser) good(await at[browser].call(connections.submitConsent, answer))
  }
  return started
}

async function addPasskey(person: Caller) {
  const key = authenticator()
  const response = key.create(good(await person.call(security.passkeyOptions)))
  const { id } = good(await person.call(security.addPasskey, { name: 'Telefon', response }))
  return { id, key }
}

/** Signs in with a passkey in a new browser. */
export async function signInByPasskey(server: TestServer, { key }: Holder['keys'][number]): Promise<boolean> {
  const browser = server.browser()
  const options = good(await browser.call(signIn.passkeyLoginOptions))
  return (await browser.call(signIn.passkeyLogin, { response: key.get(options) })).ok
}

async function signInWithCode(server: TestServer, { email, password }: RegisteredUser, code: () => string) {
  const browser = server.browser()
  const { next } = good(await browser.call(signIn.login, { username: email, password }))
  if (next === 'otp') good(await browser.call(signIn.loginOtp, { otp_token: code() }))
  return { ...browser, user: good(await browser.call(account.getAccount)) }
}

/** An authorization request that the user has allowed and whose browser has not resumed it. */
async function requestWithConsent(browser: Caller, app: App) {
  const { verifier, challenge } = proofKey()
  // Consent must be asked for `offline_access` (OpenID Connect Core §11).
  const params = { prompt: 'consent', scope: SCOPES, code_challenge: challenge }
  const path = here(await authorize(browser, app, params))
  const uid = (await follow(browser, path)).searchParams.get('uid') as string
  good(await browser.call(connections.submitConsent, { client: app.client_id, scopes: SCOPES.split(' '), uid }))
  const codeOf = async () => {
    // Browsers keep this cookie per request, the test browser keeps the last one.
    browser.cookies.set('vrata_request', uid)
    const { location } = (await browser.request({ url: path })).headers
    return new URL(String(location), jadrolet.redirect_uri).searchParams.get('code')
  }
  const form = { grant_type: 'authorization_code', redirect_uri: jadrolet.redirect_uri, code_verifier: verifier }
  return { codeOf, resume: async () => ({ ...form, code: (await codeOf()) ?? '' }) }
}
