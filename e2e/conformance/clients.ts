import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Api, clients, connections, scopes } from '@vrata/contract'
import { people } from '../../server/test/people.ts'
import { dataOf } from '../../testing/api-client.ts'
import type { AppKeys, Plan } from './plans.ts'
import { createCertificate } from './tls.ts'
import { DATA, type Vrata } from './vrata.ts'

export type Suite = {
  /** Address of the suite. */
  url: string
  /** The alias in its addresses. */
  alias: string
}

type Settings = Partial<clients.Advanced>

/** Creates the apps of a plan; returns the configuration that the suite needs for it. */
export async function configure(vrata: Vrata, suite: Suite, plan: Plan): Promise<object> {
  const at = (path: string) => `${suite.url}/test/a/${suite.alias}/${path}`
  const { initial_access_token } = vrata
  const app = async (name: string, settings?: Settings) => {
    const { mtls, ...client } = await register(vrata, plan, at, name, settings)
    // A configuration has both static clients and the token for dynamic registration.
    return { mtls, client: { ...client, initial_access_token } }
  }
  const [first, second] = [await app('Suite'), await app('Suite, again')]
  return {
    alias: suite.alias,
    server: { discoveryUrl: `${vrata.url}/.well-known/openid-configuration` },
    client: first.client,
    client2: second.client,
    ...(first.mtls && { mtls: first.mtls, mtls2: second.mtls }),
    ...(plan.keys
      ? { resource: { resourceUrl: resourceUrl(vrata, plan) } }
      : {
          client_secret_post: (await app('Suite, by form', { token_endpoint_auth_method: 'client_secret_post' }))
            .client,
        }),
  }
}

function resourceUrl(vrata: Vrata, { api, ciba, certificates }: Plan): string {
  if (api) return vrata.api.url
  if (ciba) return `${vrata.api.url}userinfo`
  return `${certificates ? vrata.mtls_url : vrata.url}/userinfo`
}

async function register(
  vrata: Vrata,
  plan: Plan,
  at: (path: string) => string,
  name: string,
  own: Settings = {},
): Promise<{ client_id: string; mtls?: object }> {
  const { call } = vrata
  const { type = 'web' } = plan
  const redirect_uri = at('callback')
  const made = dataOf(await call(clients.createClient, { name, type, ...(type === 'web' && { redirect_uri }) }))
  const id = made.client_id
  if (type === 'web') {
    // Some modules use a redirect URI with a query.
    dataOf(await call(clients.addRedirectUri, { id, redirect_uri: `${redirect_uri}?dummy1=lorem&dummy2=ipsum` }))
  }
  const requested = plan.api ? [await defineScope(call, id)] : ['openid', 'profile', 'email', 'phone', 'address']
  if (!plan.api) dataOf(await call(clients.updateClientInfo, { id, scopes: [...requested, 'offline_access'] }))
  else dataOf(await call(clients.updateClientInfo, { id, scopes: requested }))
  const keys = plan.keys && createKeys(plan.keys)
  const certificate = plan.certificates && (await createClientCertificate(id))
  const settings: Settings = {
    ...(type === 'web' && { post_logout_redirect_uris: [at('post_logout_redirect')] }),
    ...(plan.api && { access_token_format: 'jwt' }),
    ...(keys
      ? { token_endpoint_auth_method: 'private_key_jwt' }
      : { require_pkce: false, token_endpoint_auth_method: 'client_secret_basic' }),
    ...(keys && { jwks: { keys: [keys.public, ...(certificate ? [certificate.key] : [])] } }),
    ...plan.settings?.(at),
    ...own,
  }
  dataOf(await call(clients.updateAdvanced, { id, ...settings }))
  if (plan.api) vrata.api.accept(id)
  // Only a person who has connected the app is asked.
  if (plan.ciba) dataOf(await call(connections.submitConsent, { client: id, scopes: requested }))
  if (!keys) return { client_id: id, ...{ client_secret: made.client_secret } }
  return {
    client_id: id,
    ...{
      scope: plan.api ? requested.join(' ') : 'openid profile email offline_access',
      dpop_signing_alg: plan.keys,
      jwks: { keys: [keys.private] },
      // An acr of a session that began with a password.
      ...(plan.ciba && { hint_type: 'login_hint', hint_value: people.ana.email, acr_value: '1' }),
    },
    ...(certificate && { mtls: certificate.mtls }),
  }
}

/** Defines a scope with a prefix of its own. */
async function defineScope(call: Api, id: string): Promise<string> {
  const key = `suite${id.replaceAll(/\W/g, '').slice(-12)}.read`
  dataOf(await call(scopes.defineScope, { id, key, title: { 'en-US': 'Read the timetable' } }))
  return key
}

/** A key pair of an app, as JWKs. */
function createKeys(alg: AppKeys) {
  const { publicKey, privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const marks = { kid: randomUUID(), use: 'sig', alg }
  return { public: toJwk(publicKey, marks), private: toJwk(privateKey, marks) }
}

/** A self-signed certificate of an app: its key for Vrata, and both in PEM for the suite (RFC 8705 §2.2). */
async function createClientCertificate(id: string) {
  const files = await createCertificate(DATA, id)
  const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')])
  const x5c = [new X509Certificate(cert).raw.toString('base64')]
  return { key: toJwk(createPublicKey(cert), { kid: randomUUID(), use: 'sig', x5c }), mtls: { cert, key } }
}

type Jwk = NonNullable<clients.Advanced['jwks']>['keys'][number]

function toJwk(key: KeyObject, members: object): Jwk {
  return { ...key.export({ format: 'jwk' }), ...members } as Jwk
}
