// `npm run conformance:server`: a server for the OpenID Foundation's conformance suite, with clients and a user. The
// configuration of each plan is written to data/conformance (docs/guides/conformance.md).
import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Api, account, type clients as Clients, clients, developers, signIn } from '../contract/src/index.ts'
import { people, studio } from '../server/test/people.ts'
import { apiClient, dataOf } from '../testing/api-client.ts'
import { ensurePages } from './build/pages.ts'
import { ensureServer, SERVER } from './build/server-bundle.ts'
import { confirmEmail, waitUntilReady } from './dev/seed.ts'
import { ROOT } from './run-command.ts'

const {
  PORT = '3000',
  VRATA_URL = `http://localhost:${PORT}`,
  CONFORMANCE_SUITE = 'https://localhost.emobix.co.uk:8443',
  CONFORMANCE_ALIAS = 'vrata',
} = process.env
const data = join(ROOT, 'data/conformance')
const suite = (path: string) => `${CONFORMANCE_SUITE}/test/a/${CONFORMANCE_ALIAS}/${path}`

// Another server may be a real one; it would get a user whose password is public.
if (await fetch(`http://localhost:${PORT}/healthz`).catch(() => undefined)) {
  console.error(`Something listens on port ${PORT} already. Set PORT to a free one.`)
  process.exit(1)
}
await ensurePages()
await ensureServer()
// Client secrets cannot be read again, so every start creates new clients.
await rm(data, { recursive: true, force: true })
await mkdir(data, { recursive: true })
const env = {
  VRATA_LOG_LEVEL: 'warn',
  // The suite signs in hundreds of times from one IP address.
  VRATA_LIMITS_FACTOR: '100',
  HOST: 'localhost',
  ...process.env,
  VRATA_URL,
  PORT,
  VRATA_CLIENT_REGISTRATION: 'on',
  // Overrides settings of a real installation in this shell: its data folder, database, mail server and secret.
  VRATA_DATA_DIR: data,
  VRATA_DATABASE_URL: 'sqlite',
  VRATA_SMTP_URL: '',
  VRATA_SECRET: '',
}
const server = spawn(process.execPath, [SERVER, 'serve'], { stdio: ['ignore', 'inherit', 'inherit'], env })
process.on('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
server.on('exit', (code) => process.exit(code ?? 1))

const target = { url: `http://localhost:${PORT}`, origin: VRATA_URL, outbox: join(data, 'outbox') }
await waitUntilReady(target.url)
const call = apiClient(target)
await signUpVerified(call)
const { developer_id } = dataOf(await call(developers.createDeveloper, studio))
// A configuration has both static clients and the token for dynamic registration.
const initial_access_token = await registrationToken(developer_id)
const plans = {
  alias: CONFORMANCE_ALIAS,
  server: { discoveryUrl: `${VRATA_URL}/.well-known/openid-configuration` },
  client: { ...(await register(call, 'Suite')), initial_access_token },
  client2: { ...(await register(call, 'Suite, again')), initial_access_token },
  client_secret_post: await register(call, 'Suite, by form', { token_endpoint_auth_method: 'client_secret_post' }),
}
await writePlans('plans.json', plans)
// The suite fails a plan that receives an unexpected logout token, so back-channel logout has a client of its own.
const backchannel_logout_uri = suite('backchannel_logout')
const backchannelClient = await register(call, 'Suite, told of sign-outs', { backchannel_logout_uri })
await writePlans('backchannel-logout.json', { ...plans, client: backchannelClient })
await writePlans('fapi2.json', {
  ...plans,
  client: await registerFapiClient(call, 'Suite, guarded'),
  client2: await registerFapiClient(call, 'Suite, guarded again'),
  resource: { resourceUrl: `${VRATA_URL}/userinfo` },
})
console.log(`Vrata is running at ${VRATA_URL} for ${CONFORMANCE_SUITE}.
The clients, as the suite wants them, are in ${data}
Sign in as ${people.ana.email}  ${people.ana.password}`)

/** Returns a registration token for the Dynamic plan, which registers a client without PKCE for each module. */
async function registrationToken(developer_id: string): Promise<string> {
  const terms = ['--uses', '1000', '--days', '30', '--pkce-optional']
  const words = ['client', 'registration-token', developer_id, people.ana.email, ...terms]
  return (await promisify(execFile)(process.execPath, [SERVER, ...words], { env })).stdout.trim()
}

function writePlans(name: string, plans: object): Promise<void> {
  return writeFile(join(data, name), JSON.stringify(plans, null, 2))
}

/** Creates a user who has a value for every standard claim. */
async function signUpVerified(call: Api): Promise<void> {
  const { email, password, first_name, last_name } = people.ana
  dataOf(await call(signIn.register, { email, password, first_name, last_name, language: 'en-US' }))
  await confirmEmail(call, email, target.outbox)
  dataOf(
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
  const made = dataOf(await call(clients.createClient, { name, redirect_uri: suite('callback') }))
  const id = made.client_id
  // Some modules use a redirect URI with a query.
  dataOf(await call(clients.addRedirectUri, { id, redirect_uri: `${suite('callback')}?dummy1=lorem&dummy2=ipsum` }))
  dataOf(
    await call(clients.updateClientInfo, {
      id,
      scopes: ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'],
    }),
  )
  dataOf(
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

/** A client for FAPI 2.0: private_key_jwt, pushed authorization requests, DPoP-bound tokens. */
async function registerFapiClient(call: Api, name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const marks = { kid: randomUUID(), use: 'sig', alg: 'ES256' } as const
  const { client_id } = await register(call, name, {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'EC', ...marks }] },
    security_profile: 'fapi2',
    require_pkce: true,
    // The plan warns of claims that it has not requested.
    id_token_claims: 'minimal',
  })
  return {
    client_id,
    scope: 'openid profile email offline_access',
    dpop_signing_alg: 'ES256',
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), ...marks }] },
  }
}
