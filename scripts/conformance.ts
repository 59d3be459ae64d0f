// `npm run conformance:server`: a server for the OpenID Foundation's conformance suite, with its clients and a person. What
// each plan wants to know is written to data/conformance (docs/guides/conformance.md).
import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Api, account, auth, type clients as Clients, clients, developers } from '../contract/src/index.ts'
import { people, studio } from '../server/test/people.ts'
import { ROOT } from './command.ts'
import { caller, done, tokenMailedTo, untilReady } from './front-door.ts'
import { ensurePages } from './pages.ts'
import { ensureServer, SERVER } from './server-bundle.ts'

const {
  PORT = '3000',
  VRATA_URL = `http://localhost:${PORT}`,
  CONFORMANCE_SUITE = 'https://localhost.emobix.co.uk:8443',
  CONFORMANCE_ALIAS = 'vrata',
} = process.env
const data = join(ROOT, 'data/conformance')
const suite = (path: string) => `${CONFORMANCE_SUITE}/test/a/${CONFORMANCE_ALIAS}/${path}`

// Whoever listens there is somebody's real server: its people would get one whose password is known to everybody.
if (await fetch(`http://localhost:${PORT}/healthz`).catch(() => undefined)) {
  console.error(`Something listens on port ${PORT} already. Set PORT to a free one.`)
  process.exit(1)
}
await ensurePages()
await ensureServer()
// Secrets are shown once, so the clients are made anew at every start.
await rm(data, { recursive: true, force: true })
await mkdir(data, { recursive: true })
const env = {
  VRATA_LOG_LEVEL: 'warn',
  // The suite comes from one address, and signs in hundreds of times.
  VRATA_LIMITS_FACTOR: '100',
  HOST: 'localhost',
  ...process.env,
  VRATA_URL,
  PORT,
  VRATA_CLIENT_REGISTRATION: 'on',
  // Whatever this shell knows of a real house stays out: its database, its folder, its mails.
  VRATA_DATA_DIR: data,
  VRATA_DATABASE_URL: 'sqlite',
  VRATA_SMTP_URL: '',
  VRATA_SECRET: '',
}
const server = spawn(process.execPath, [SERVER, 'serve'], { stdio: ['ignore', 'inherit', 'inherit'], env })
process.on('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
server.on('exit', (code) => process.exit(code ?? 1))

const door = { server: `http://localhost:${PORT}`, origin: VRATA_URL, outbox: join(data, 'outbox') }
await untilReady(door.server)
const call = caller(door)
await settle(call)
const { developer_id } = done(await call(developers.createDeveloper, studio))
// Static clients of the suite stand beside what its dynamic ones need to register.
const initial_access_token = await registrationToken(developer_id)
const plans = {
  alias: CONFORMANCE_ALIAS,
  server: { discoveryUrl: `${VRATA_URL}/.well-known/openid-configuration` },
  client: { ...(await register(call, 'Suite')), initial_access_token },
  client2: { ...(await register(call, 'Suite, again')), initial_access_token },
  client_secret_post: await register(call, 'Suite, by form', { token_endpoint_auth_method: 'client_secret_post' }),
}
await writePlans('plans.json', plans)
// A notice of a sign-out that comes in a plan without them is a failure to the suite, so they go to a client of their own.
const backchannel_logout_uri = suite('backchannel_logout')
const told = await register(call, 'Suite, told of sign-outs', { backchannel_logout_uri })
await writePlans('backchannel-logout.json', { ...plans, client: told })
await writePlans('fapi2.json', {
  ...plans,
  client: await registerGuarded(call, 'Suite, guarded'),
  client2: await registerGuarded(call, 'Suite, guarded again'),
  resource: { resourceUrl: `${VRATA_URL}/userinfo` },
})
console.log(`Vrata is open at ${VRATA_URL} for ${CONFORMANCE_SUITE}.
The clients, as the suite wants them, are in ${data}
Sign in as ${people.ana.email}  ${people.ana.password}`)

/** For the Dynamic plan, which registers an app for each of its modules, and none of them with PKCE. */
async function registrationToken(developer_id: string): Promise<string> {
  const terms = ['--uses', '1000', '--days', '30', '--pkce-optional']
  const words = ['client', 'registration-token', developer_id, people.ana.email, ...terms]
  return (await promisify(execFile)(process.execPath, [SERVER, ...words], { env })).stdout.trim()
}

function writePlans(name: string, plans: object): Promise<void> {
  return writeFile(join(data, name), JSON.stringify(plans, null, 2))
}

/** Somebody of whom every standard claim is known. */
async function settle(call: Api): Promise<void> {
  const { email, password, first_name, last_name } = people.ana
  done(await call(auth.register, { email, password, first_name, last_name, language: 'en-US' }))
  done(await call(account.verifyEmail, { token: await tokenMailedTo(email, door.outbox) }))
  done(
    await call(account.updateAccount, {
      username: 'ana.kovac',
      phone_number: '+38631234567',
      birth_date: '1990-05-17',
      gender: 'female',
      country_code: 'SI',
    }),
  )
}

async function register(call: Api, name: string, advanced: Partial<Clients.Advanced> = {}) {
  const made = done(await call(clients.createClient, { name, redirect_uri: suite('callback') }))
  const id = made.client_id
  // A second one, with a query of its own: the suite registers both.
  done(await call(clients.addRedirectUri, { id, redirect_uri: `${suite('callback')}?dummy1=lorem&dummy2=ipsum` }))
  done(
    await call(clients.updateClientInfo, {
      id,
      scopes: ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'],
    }),
  )
  done(
    await call(clients.updateAdvanced, {
      id,
      require_pkce: false,
      token_endpoint_auth_method: 'client_secret_basic',
      post_logout_redirect_uris: [suite('post_logout_redirect')],
      ...advanced,
    }),
  )
  return { client_id: id, client_secret: made.client_secret }
}

/** By the rules of FAPI 2.0: no secret at all, but a key; requests that are pushed; tokens bound to another key. */
async function registerGuarded(call: Api, name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const marks = { kid: randomUUID(), use: 'sig', alg: 'ES256' } as const
  const { client_id } = await register(call, name, {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'EC', ...marks }] },
    require_pkce: true,
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
  })
  return {
    client_id,
    scope: 'openid profile email offline_access',
    dpop_signing_alg: 'ES256',
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), ...marks }] },
  }
}
