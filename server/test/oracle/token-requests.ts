import { createHash } from 'node:crypto'
import { connections, paths, sessions } from '@vrata/contract'
import { sql } from 'kysely'
import { cookieHeader } from '../../../testing/api-client.ts'
import { hashToken } from '../../src/lib/ids.ts'
import { good } from '../second-factor.ts'
import type { TestServer } from '../test-server.ts'
import { authorizeUrl, codeFor, credentials, post } from '../third-party.ts'
import type { App, AppName, World } from './world.ts'

export const GRANTS = ['authorization', 'authorization_code', 'refresh_token', 'client_credentials'] as const
export type GrantName = (typeof GRANTS)[number]

/** A request as text, so that it can be wrong in every way. */
export interface RawRequest {
  method: 'POST' | 'GET'
  url: string
  headers: Record<string, string>
  form: [string, string][]
  payload?: string
}

/** What a case has prepared. */
export interface Prepared {
  world: World
  app: App
  /** The code or refresh token that the request presents. */
  token: string
  request: RawRequest
}

/** The right request of a grant. `by` creates its code or token. */
export async function prepare(world: World, grant: GrantName, app: App, by: 'native' | 'engine'): Promise<Prepared> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...credentials(app) }
  const request = (form: Record<string, string>): RawRequest => ({
    method: 'POST',
    url: '/token',
    headers,
    form: [
      ...Object.entries(form),
      ...(app.client_secret === null ? [['client_id', app.client_id] as [string, string]] : []),
    ],
  })
  if (grant === 'authorization') {
    const url = new URL(authorizeUrl(app, { nonce: 'a nonce' }), world.native.config.url)
    const cookie = cookieHeader(world.ana[by].cookies) ?? ''
    const headers = { cookie, accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'user-agent': 'Firefox/146.0' }
    return {
      world,
      app,
      token: '',
      request: { method: 'GET', url: url.pathname, headers, form: [...url.searchParams] },
    }
  }
  if (grant === 'client_credentials') {
    const scope = app.client_id === world.apps['jwt service'].client_id ? 'books.read' : 'notes.read'
    return { world, app, token: '', request: request({ grant_type: grant, scope }) }
  }
  const { form, code } = await codeFor(world.ana[by], app, { nonce: 'a nonce' })
  if (grant === 'authorization_code') return { world, app, token: code, request: request(form) }
  const answer = await post(world[by], app, '/token', form)
  const { refresh_token } = answer.json() as { refresh_token: string }
  return { world, app, token: refresh_token, request: request({ grant_type: grant, refresh_token }) }
}

type Vary = (prepared: Prepared) => void
const put =
  (name: string, value: string | ((prepared: Prepared) => string)): Vary =>
  (prepared) => {
    const { request } = prepared
    const given = request.form.find(([known]) => known === name)
    const text = typeof value === 'string' ? value : value(prepared)
    if (given) given[1] = text
    else request.form.push([name, text])
  }
const without =
  (name: string): Vary =>
  ({ request }) => {
    request.form = request.form.filter(([known]) => known !== name)
  }
const twice =
  (name: string): Vary =>
  ({ request }) => {
    request.form.push([name, request.form.find(([known]) => known === name)?.[1] ?? 'x'])
  }
const header =
  (name: string, value: string | ((prepared: Prepared) => string)): Vary =>
  (prepared) => {
    prepared.request.headers[name] = typeof value === 'string' ? value : value(prepared)
  }
const withoutHeader =
  (name: string): Vary =>
  ({ request }) => {
    delete request.headers[name]
  }
const payload =
  (of: (form: string) => string): Vary =>
  ({ request }) => {
    request.payload = of(new URLSearchParams(request.form).toString())
  }
const all =
  (...changes: Vary[]): Vary =>
  (prepared) => {
    for (const change of changes) change(prepared)
  }
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Ways in which a request differs from the right one. */
export const VARIATIONS: Record<string, Vary> = {
  right: () => undefined,
  // Authentication
  'no secret': all(
    withoutHeader('authorization'),
    put('client_id', ({ app }) => app.client_id),
  ),
  'no client': all(withoutHeader('authorization'), without('client_id')),
  'wrong secret': header('authorization', ({ app }) => basic(app.client_id, 'wrong')),
  'empty secret': header('authorization', ({ app }) => basic(app.client_id, '')),
  'unknown client': header('authorization', basic('vrt_unknown', 'wrong')),
  'secret in the form': all(
    withoutHeader('authorization'),
    put('client_id', ({ app }) => app.client_id),
    put('client_secret', ({ app, world }) => app.client_secret ?? (world.apps.plain.client_secret as string)),
  ),
  'wrong secret in the form': all(
    withoutHeader('authorization'),
    put('client_id', ({ app }) => app.client_id),
    put('client_secret', 'wrong'),
  ),
  'secret in header and form': put('client_secret', ({ app }) => app.client_secret ?? 'x'),
  'client id in header and form': put('client_id', ({ app }) => app.client_id),
  'client id of another app': put('client_id', ({ world }) => world.apps.stranger.client_id),
  'credentials of another app': header('authorization', ({ world: { apps } }) =>
    basic(apps.ES256.client_id, apps.ES256.client_secret ?? ''),
  ),
  'lower case scheme': ({ request: { headers } }) => {
    if (headers.authorization) headers.authorization = headers.authorization.replace('Basic', 'basic')
  },
  'bearer scheme': header('authorization', 'Bearer abc'),
  'two spaces after the scheme': ({ request: { headers } }) => {
    if (headers.authorization) headers.authorization = headers.authorization.replace('Basic ', 'Basic  ')
  },
  'bad base64': header('authorization', 'Basic !!!!'),
  'base64 without padding': ({ request: { headers } }) => {
    if (headers.authorization) headers.authorization = headers.authorization.replace(/=+$/, '')
  },
  'encoded credentials': header('authorization', ({ app }) =>
    basic(app.client_id.replace('_', '%5F'), (app.client_secret ?? '').replaceAll('-', '%2D')),
  ),
  'empty assertion': put('client_assertion', ''),
  'an assertion': put('client_assertion', 'a.b.c'),
  // Headers
  'a DPoP proof': header('dpop', 'abc'),
  'an attestation': header('oauth-client-attestation', 'a.b.c'),
  'an attestation proof': header('oauth-client-attestation-pop', 'a.b.c'),
  'a registered origin': header('origin', 'https://registered.example'),
  'another origin': header('origin', 'https://other.example'),
  cookies: header('cookie', 'vrata_sid=abc; x=y'),
  // The body
  'no content type': withoutHeader('content-type'),
  'another content type': header('content-type', 'text/plain'),
  'a body of JSON': all(
    header('content-type', 'application/json'),
    payload(() => '{}'),
  ),
  'a charset': header('content-type', 'application/x-www-form-urlencoded; charset=utf-8'),
  'another charset': header('content-type', 'application/x-www-form-urlencoded; charset=latin1'),
  'an empty body': payload(() => ''),
  'a long body': payload((form) => `${form}&padding=${'x'.repeat(9000)}`),
  'broken escapes': payload((form) => `${form}%`),
  'an unknown parameter': put('audience', 'x'),
  'a query': ({ request }) => {
    request.url = '/token?grant_type=refresh_token&scope=openid'
  },
  // Parameters of all grants
  'no grant type': without('grant_type'),
  'empty grant type': put('grant_type', ''),
  'unknown grant type': put('grant_type', 'password'),
  'inherited grant type': put('grant_type', 'constructor'),
  'grant type twice': twice('grant_type'),
  'grant type of services': put('grant_type', 'client_credentials'),
  'grant type of codes': put('grant_type', 'authorization_code'),
  'grant type of refresh tokens': put('grant_type', 'refresh_token'),
  'client id twice': all(
    put('client_id', ({ app }) => app.client_id),
    twice('client_id'),
  ),
  'an empty unknown parameter': put('client_assertion_type', ''),
  resource: put('resource', ({ world }) => `${world.native.config.url}/resources/${world.apps.api.client_id}`),
  'wrong resource': put('resource', 'https://nowhere.example/'),
  'authorization details': put('authorization_details', '[]'),
  claims: put('claims', '{}'),
  // Codes
  'no code': without('code'),
  'empty code': put('code', ''),
  'unknown code': put('code', 'x'.repeat(43)),
  'code twice': twice('code'),
  'no redirect URI': without('redirect_uri'),
  'another redirect URI': put('redirect_uri', ({ app }) => `${app.redirect_uri}/other`),
  'redirect URI of test sign-ins': put('redirect_uri', ({ world }) => `${world.native.config.url}${paths.testSignIn}`),
  'redirect URI twice': twice('redirect_uri'),
  'no verifier': without('code_verifier'),
  'short verifier': put('code_verifier', 'short'),
  'wrong verifier': put('code_verifier', 'x'.repeat(43)),
  'forbidden characters in the verifier': put('code_verifier', `${'x'.repeat(43)}!`),
  'verifier twice': twice('code_verifier'),
  'a refresh token as well': put('refresh_token', 'x'.repeat(43)),
  'a scope': put('scope', 'openid'),
  // Refresh tokens
  'no refresh token': without('refresh_token'),
  'empty refresh token': put('refresh_token', ''),
  'unknown refresh token': put('refresh_token', 'x'.repeat(43)),
  'refresh token twice': twice('refresh_token'),
  'fewer scopes': put('scope', 'openid email'),
  'more scopes': put('scope', 'openid email phone'),
  // Authorization requests
  'no cookie': header('cookie', ''),
  'a wrong cookie': header('cookie', 'vrata_sid=wrong'),
  'any content': header('accept', '*/*'),
  'JSON wanted': header('accept', 'application/json'),
  'no HTML': header('accept', 'text/html;q=0, application/json'),
  'no response type': without('response_type'),
  'another response type': put('response_type', 'token'),
  'hybrid response': put('response_type', 'code id_token'),
  'response type twice': twice('response_type'),
  'no state': without('state'),
  'a strange state': put('state', `ž"<>&' %zz+%20`),
  'state twice': twice('state'),
  'no nonce': without('nonce'),
  'no challenge': all(without('code_challenge'), without('code_challenge_method')),
  'no challenge method': without('code_challenge_method'),
  'only a challenge method': without('code_challenge'),
  'plain challenge': put('code_challenge_method', 'plain'),
  'short challenge': put('code_challenge', 'short'),
  'strange challenge': put('code_challenge', `${'x'.repeat(43)}!`),
  'fragment response': put('response_mode', 'fragment'),
  'form response': put('response_mode', 'form_post'),
  'JWT response': put('response_mode', 'jwt'),
  'query response': put('response_mode', 'query'),
  'prompt none': put('prompt', 'none'),
  'prompt login': put('prompt', 'login'),
  'prompt consent': put('prompt', 'consent'),
  'empty prompt': put('prompt', ''),
  'max age': put('max_age', '0'),
  'login hint': put('login_hint', 'ana.kovac@example.com'),
  'user interface locales': put('ui_locales', 'hr'),
  'essential acr': put('claims', '{"id_token":{"acr":{"essential":true,"value":"2"}}}'),
  'request object': put('request', 'a.b.c'),
  'request URI': put('request_uri', 'urn:ietf:params:oauth:request_uri:x'),
  'key of a DPoP proof': put('dpop_jkt', 'x'.repeat(43)),
  'offline access requested': put('scope', 'openid email offline_access'),
  'no openid': put('scope', 'profile email'),
  'openid alone': put('scope', 'openid'),
  'a new scope': put('scope', 'openid email phone'),
  'openid and an unknown scope': put('scope', 'openid nothing'),
  'openid and a scope that is not allowed': put('scope', 'openid notes.write'),
  'openid twice': put('scope', 'openid openid email'),
  'spaces in the scope': put('scope', 'openid  email'),
  'a slash after the path': ({ request }) => {
    if (request.method === 'GET') request.url = '/authorize/'
  },
  'consent page': ({ request }) => {
    if (request.method === 'GET') request.url = '/oauth'
  },
  // Scopes of services
  'no scope': without('scope'),
  'empty scope': put('scope', ''),
  'two scopes': put('scope', 'notes.read notes.write'),
  'two scopes of the other API': put('scope', 'books.write books.read'),
  'scopes of two APIs': put('scope', 'books.read notes.read'),
  'one scope twice': put('scope', 'notes.read notes.read'),
  'a double space': put('scope', 'notes.read  notes.write'),
  'an unknown scope': put('scope', 'notes.read nothing'),
  'only an unknown scope': put('scope', 'nothing'),
  'a scope of users': put('scope', 'openid'),
  'a scope of another developer': put('scope', 'other.read'),
  'a scope that is not allowed': put('scope', 'notes.read profile'),
  'forbidden characters in the scope': put('scope', 'notes.read "x"'),
  'scope twice': twice('scope'),
}

type Change = (prepared: Prepared, of: 'native' | 'engine') => Promise<unknown>
const column =
  (columns: Parameters<World['set']>[1]): Change =>
  ({ world, app }) =>
    world.set(app, columns)
const run = ({ native }: { native: TestServer }, query: ReturnType<typeof sql>) => query.execute(native.store.db)
const tokenPayload =
  (member: string, value: unknown): Change =>
  async ({ world, token }) => {
    const hash = hashToken(token)
    const { db } = world.native.store
    const row = await db.selectFrom('tokens').select('payload').where('token_hash', '=', hash).executeTakeFirst()
    if (!row) return
    const payload = JSON.stringify({ ...JSON.parse(row.payload), [member]: value }) as never
    await db.updateTable('tokens').set({ payload }).where('token_hash', '=', hash).execute()
  }

/** The app has only this redirect URI, and the request or code names it. */
function withRedirectUri(uri: string): Change {
  return async (prepared, by) => {
    const { world, app, request } = prepared
    await run(world, sql`update redirect_uris set redirect_uri = ${uri} where client_id = ${app.client_id}`)
    await tokenPayload('redirectUri', uri)(prepared, by)
    const given = request.form.find(([name]) => name === 'redirect_uri')
    if (given) given[1] = uri
  }
}

/** What happens between the grant and the request: every kind of end, and settings that are not plain. */
export const CHANGES: Record<string, Change> = {
  nothing: async () => undefined,
  'signed out': async ({ world }, by) => good(await world.ana[by].call(sessions.logoutAll, { include_current: true })),
  'app unlinked': async ({ world, app }, by) =>
    world.ana[by].call(connections.removeConnection, { client: app.client_id }),
  'scope revoked': async ({ world, app }, by) =>
    world.ana[by].call(connections.revokeScope, { client: app.client_id, key: 'email' }),
  'session ended': ({ world }) =>
    run(world, sql`update sessions set ended_at = ${world.native.clock.now().toISOString()}`),
  'session expired': ({ world }) => run(world, sql`update sessions set idle_until = '2020-01-01T00:00:00.000Z'`),
  'session too old': ({ world }) => run(world, sql`update sessions set expires_at = '2020-01-01T00:00:00.000Z'`),
  'user disabled': ({ world }) =>
    run(world, sql`update users set disabled_at = '2026-01-01T00:00:00.000Z' where id = ${world.ana.native.user.id}`),
  'user changed': ({ world }) => run(world, sql`update users set first_name = 'Ančka', phone_number = '+38640123456'`),
  'user left out by the rule of the app': ({ world }) =>
    run(world, sql`update connections set access_lost_at = '2026-01-01T00:00:00.000Z'`),
  'in groups': async (prepared, by) => {
    await run(prepared.world, sql`update users set groups = '["editors","staff"]'`)
    await run(prepared.world, sql`update connections set scopes = '["openid","groups"]'`)
    await column({ scopes: '["openid","groups"]' as never })(prepared, by)
    await tokenPayload('scope', 'openid groups')(prepared, by)
  },
  'user blocked': ({ world }) => run(world, sql`update connections set blocked_at = '2026-01-01T00:00:00.000Z'`),
  'openid not granted': ({ world }) => run(world, sql`update connections set scopes = '["email"]'`),
  'nothing granted': ({ world }) => run(world, sql`update connections set scopes = '[]'`),
  'nothing granted of a token without openid': async (prepared, by) => {
    await tokenPayload('scope', 'email')(prepared, by)
    await run(prepared.world, sql`update connections set scopes = '[]'`)
  },
  'token without openid': tokenPayload('scope', 'profile email'),
  'other order of grants': ({ world }) =>
    run(world, sql`update connections set scopes = '["phone","email","profile","openid"]'`),
  'used yesterday': ({ world }) => run(world, sql`update connections set last_used_at = '2026-11-20T10:00:00.000Z'`),
  'used a while ago': ({ world }) => run(world, sql`update connections set last_used_at = '2026-11-21T09:30:00.000Z'`),
  'used just now': ({ world }) => run(world, sql`update connections set last_used_at = '2026-11-21T09:59:50.000Z'`),
  'token expired': ({ world, token }) =>
    run(world, sql`update tokens set expires_at = '2026-11-21T09:00:00.000Z' where token_hash = ${hashToken(token)}`),
  'token used': ({ world, token }) =>
    run(world, sql`update tokens set consumed_at = '2026-11-21T09:59:00.000Z' where token_hash = ${hashToken(token)}`),
  'token of another app': ({ world, token }) =>
    run(
      world,
      sql`update tokens set client_id = ${world.apps.stranger.client_id} where token_hash = ${hashToken(token)}`,
    ),
  'token bound to a key': tokenPayload('jkt', 'x'.repeat(43)),
  'token bound to a certificate': tokenPayload('x5t#S256', 'x'.repeat(43)),
  'code bound to a key': tokenPayload('dpopJkt', 'x'.repeat(43)),
  'single claims': tokenPayload('claims', { id_token: { email: null }, userinfo: { name: null } }),
  'phone requested': tokenPayload('claims', { id_token: { phone_number: { essential: true } } }),
  'token for a resource': tokenPayload('resource', 'https://nowhere.example/'),
  'refresh token of an old family': tokenPayload('iiat', '2026-05-30T10:00:00.000Z'),
  'refreshed before': tokenPayload('gty', 'authorization_code refresh_token'),
  'plain challenge': tokenPayload('codeChallengeMethod', 'plain'),
  'challenge of a short verifier': tokenPayload(
    'codeChallenge',
    createHash('sha256').update('short').digest('base64url'),
  ),
  'no challenge': tokenPayload('codeChallenge', undefined),
  'offline access': async (prepared, by) => {
    await tokenPayload('scope', 'openid email offline_access')(prepared, by)
    await run(prepared.world, sql`update connections set scopes = '["openid","email","offline_access"]'`)
    await tokenPayload('expiresWithSession', undefined)(prepared, by)
  },
  'native app with https loopback address': async (prepared, by) => {
    await prepared.world.set(prepared.app, { type: 'native' })
    await withRedirectUri('https://localhost/callback')(prepared, by)
  },
  'scopes declined': ({ world }) =>
    run(world, sql`update connections set scopes = '["openid","email"]', declined = '["profile","phone"]'`),
  'all declined': ({ world }) =>
    run(world, sql`update connections set scopes = '[]', declined = '["openid","profile","email"]'`),
  'address not confirmed': ({ world }) => run(world, sql`update users set email_verified_at = null`),
  'not connected': ({ world }) => run(world, sql`delete from connections`),
  'two factors': ({ world }) => run(world, sql`update sessions set methods = '["pwd","otp"]'`),
  'signed in long ago': ({ world }) =>
    run(world, sql`update sessions set authenticated_at = '2026-11-01T10:00:00.000Z'`),
  'app pushes requests': column({ require_pushed_authorization_requests: 1 }),
  'app signs requests': column({ require_signed_request_object: 1 }),
  'app wants signed responses': column({ authorization_signed_response_alg: 'ES256' }),
  'app needs a nonce': column({ require_nonce: 1, require_pkce: 0 }),
  'app needs no PKCE': column({ require_pkce: 0 }),
  'app has front-channel logout': column({ frontchannel_logout_uri: 'https://plain.example/logout' }),
  'any scope allowed': column({ scopes: '["*"]' as never }),
  ...Object.fromEntries(
    [
      'http://localhost:4000/callback',
      'https://localhost/callback',
      'com.example.app:/callback',
      'https://app.example/?a=b&code=x',
      'https://app.example/%zz{}|"',
      'https://app.example/?q=%C5%BE+"',
      'https://žaba.example/ž',
    ].map((uri): [string, Change] => [`redirect URI ${uri}`, withRedirectUri(uri)]),
  ),
  'app disabled': column({ enabled: 0 }),
  'app needs DPoP': column({ dpop_bound_access_tokens: 1 }),
  'app needs certificates': column({ tls_client_certificate_bound_access_tokens: 1 }),
  'app has a key': column({ token_endpoint_auth_method: 'private_key_jwt', jwks: '{"keys":[]}' as never }),
  'app uses FAPI 2.0': column({ security_profile: 'fapi2' }),
  'FAPI 2.0 and an API with RS256': async (prepared, by) => {
    await column({ security_profile: 'fapi2', id_token_signed_response_alg: 'ES256' })(prepared, by)
    await run(prepared.world, sql`update clients set id_token_signed_response_alg = 'RS256' where name = 'JWT API'`)
  },
  'app uses certificates': column({
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_san_dns: 'a.example',
  }),
  'secret optional': column({ require_client_secret: 0 }),
  'secret used just now': column({ secret_last_used_at: '2026-11-21T09:59:50.000Z' }),
  'secret replaced': ({ world, app }) =>
    world.set(app, {
      previous_secret_hash: hashToken(app.client_secret ?? ''),
      secret_hash: hashToken('another'),
      previous_secret_until: '2026-11-22T10:00:00.000Z',
    }),
  'secret replaced long ago': ({ world, app }) =>
    world.set(app, {
      previous_secret_hash: hashToken(app.client_secret ?? ''),
      secret_hash: hashToken('another'),
      previous_secret_until: '2026-11-20T10:00:00.000Z',
    }),
  'fewer scopes of the app': column({ scopes: '["openid","notes.read"]' as never }),
  'no scopes of the app': column({ scopes: '[]' as never }),
  'signed in before': column({ first_sign_in_at: '2026-11-20T10:00:00.000Z' }),
  'redirect URI removed': ({ world, app }) =>
    run(
      world,
      sql`update redirect_uris set redirect_uri = 'https://changed.example/' where client_id = ${app.client_id}`,
    ),
  'second redirect URI': ({ world, app }) =>
    run(
      world,
      sql`insert into redirect_uris (client_id, redirect_uri, created_at) values (${app.client_id}, ${`${app.redirect_uri}/other`}, '2026-11-21T09:00:00.000Z')`,
    ),
  'no redirect URIs': ({ world, app }) => run(world, sql`delete from redirect_uris where client_id = ${app.client_id}`),
  'origin registered': ({ world, app }) =>
    run(
      world,
      sql`insert into origins (client_id, origin, created_at) values (${app.client_id}, 'https://registered.example', '2026-11-21T09:00:00.000Z')`,
    ),
  'APIs disabled': ({ world }) => run(world, sql`update clients set enabled = 0 where name like '%API'`),
  'app is no service': column({ type: 'web' }),
}

export const TIMES = ['once', 'twice', 'raced'] as const

export interface TokenCase {
  grant: GrantName
  app: AppName
  change: string
  variation: string
  times: (typeof TIMES)[number]
}

/** The apps that use a grant. */
export const APPS_OF: Record<GrantName, readonly AppName[]> = {
  authorization: ['plain', 'public', 'ES256', 'EdDSA', 'minimal', 'pairwise', 'logout'],
  authorization_code: ['plain', 'public', 'ES256', 'EdDSA', 'minimal', 'pairwise', 'logout'],
  refresh_token: ['plain', 'public', 'ES256', 'EdDSA', 'minimal', 'pairwise', 'logout'],
  client_credentials: ['service', 'jwt service'],
}
