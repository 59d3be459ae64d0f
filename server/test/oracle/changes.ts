import { createHash } from 'node:crypto'
import { connections, sessions } from '@vrata/contract'
import { sql, type Updateable } from 'kysely'
import type { TokensTable } from '../../src/db/schema.ts'
import { newTimedToken, tokenKey } from '../../src/issuer/tokens/token-keys.ts'
import { hashToken } from '../../src/lib/ids.ts'
import { good } from '../second-factor.ts'
import type { TestServer } from '../test-server.ts'
import type { Prepared } from './token-requests.ts'
import type { TwoNodes } from './two-nodes.ts'

type Change = (prepared: Prepared, of: 'native' | 'engine') => Promise<unknown>
const column =
  (columns: Parameters<TwoNodes['set']>[1]): Change =>
  ({ nodes, app }) =>
    nodes.set(app, columns)
const run = ({ native }: { native: TestServer }, query: ReturnType<typeof sql>) => query.execute(native.store.db)
/** The code or token was issued with another payload or to another app. It is another one: nothing changes these columns, so servers do not compare them (decision 0097). */
const issuedWith =
  (columns: (payload: Record<string, unknown>, nodes: TwoNodes) => Updateable<TokensTable>): Change =>
  async (prepared) => {
    const { nodes, token, request } = prepared
    const { db } = nodes.native.store
    const hash = tokenKey(token)
    const row = await db.selectFrom('tokens').select('payload').where('token_hash', '=', hash).executeTakeFirst()
    if (!row) return
    prepared.token = newTimedToken(nodes.native.clock.now())
    for (const field of request.form) if (field[1] === token) field[1] = prepared.token
    const changed = { token_hash: tokenKey(prepared.token), ...columns(JSON.parse(row.payload), nodes) }
    await db.updateTable('tokens').set(changed).where('token_hash', '=', hash).execute()
  }
const tokenPayload = (member: string, value: unknown): Change =>
  issuedWith((payload) => ({ payload: JSON.stringify({ ...payload, [member]: value }) as never }))

/** The app has only this redirect URI, and the request or code names it. */
function withRedirectUri(uri: string): Change {
  return async (prepared, by) => {
    const { nodes, app, request } = prepared
    await run(nodes, sql`update redirect_uris set redirect_uri = ${uri} where client_id = ${app.client_id}`)
    await tokenPayload('redirectUri', uri)(prepared, by)
    const given = request.form.find(([name]) => name === 'redirect_uri')
    if (given) given[1] = uri
  }
}

/** Changes between the grant and the request: every kind of end, and settings that are not plain. */
export const CHANGES: Record<string, Change> = {
  nothing: async () => undefined,
  'signed out': async ({ nodes }, by) => good(await nodes.ana[by].call(sessions.logoutAll, { include_current: true })),
  'app unlinked': async ({ nodes, app }, by) =>
    nodes.ana[by].call(connections.removeConnection, { client: app.client_id }),
  'scope revoked': async ({ nodes, app }, by) =>
    nodes.ana[by].call(connections.revokeScope, { client: app.client_id, key: 'email' }),
  'session ended': ({ nodes }) =>
    run(nodes, sql`update sessions set ended_at = ${nodes.native.clock.now().toISOString()}`),
  'session expired': ({ nodes }) => run(nodes, sql`update sessions set idle_until = '2020-01-01T00:00:00.000Z'`),
  'session too old': ({ nodes }) => run(nodes, sql`update sessions set expires_at = '2020-01-01T00:00:00.000Z'`),
  'user disabled': ({ nodes }) =>
    run(nodes, sql`update users set disabled_at = '2026-01-01T00:00:00.000Z' where id = ${nodes.ana.native.user.id}`),
  'user changed': ({ nodes }) => run(nodes, sql`update users set first_name = 'Ančka', phone_number = '+38640123456'`),
  'user left out by the rule of the app': ({ nodes }) =>
    run(nodes, sql`update connections set access_lost_at = '2026-01-01T00:00:00.000Z'`),
  'in groups': async (prepared, by) => {
    await run(prepared.nodes, sql`update users set groups = '["editors","staff"]'`)
    await run(prepared.nodes, sql`update connections set scopes = '["openid","groups"]'`)
    await column({ scopes: '["openid","groups"]' as never })(prepared, by)
    await tokenPayload('scope', 'openid groups')(prepared, by)
  },
  'user blocked': ({ nodes }) => run(nodes, sql`update connections set blocked_at = '2026-01-01T00:00:00.000Z'`),
  'openid not granted': ({ nodes }) => run(nodes, sql`update connections set scopes = '["email"]'`),
  'nothing granted': ({ nodes }) => run(nodes, sql`update connections set scopes = '[]'`),
  'nothing granted of a token without openid': async (prepared, by) => {
    await tokenPayload('scope', 'email')(prepared, by)
    await run(prepared.nodes, sql`update connections set scopes = '[]'`)
  },
  'token without openid': tokenPayload('scope', 'profile email'),
  'other order of grants': ({ nodes }) =>
    run(nodes, sql`update connections set scopes = '["phone","email","profile","openid"]'`),
  'used yesterday': ({ nodes }) => run(nodes, sql`update connections set last_used_at = '2026-11-20T10:00:00.000Z'`),
  'used a while ago': ({ nodes }) => run(nodes, sql`update connections set last_used_at = '2026-11-21T09:30:00.000Z'`),
  'used just now': ({ nodes }) => run(nodes, sql`update connections set last_used_at = '2026-11-21T09:59:50.000Z'`),
  'token expired': ({ nodes, token }) =>
    run(nodes, sql`update tokens set expires_at = '2026-11-21T09:00:00.000Z' where token_hash = ${tokenKey(token)}`),
  'token used': ({ nodes, token }) =>
    run(nodes, sql`update tokens set consumed_at = '2026-11-21T09:59:00.000Z' where token_hash = ${tokenKey(token)}`),
  'token of another app': issuedWith((_, { apps }) => ({ client_id: apps.stranger.client_id })),
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
    await run(prepared.nodes, sql`update connections set scopes = '["openid","email","offline_access"]'`)
    await tokenPayload('expiresWithSession', undefined)(prepared, by)
  },
  'native app with https loopback address': async (prepared, by) => {
    await prepared.nodes.set(prepared.app, { type: 'native' })
    await withRedirectUri('https://localhost/callback')(prepared, by)
  },
  'scopes declined': ({ nodes }) =>
    run(nodes, sql`update connections set scopes = '["openid","email"]', declined = '["profile","phone"]'`),
  'all declined': ({ nodes }) =>
    run(nodes, sql`update connections set scopes = '[]', declined = '["openid","profile","email"]'`),
  'address not confirmed': ({ nodes }) => run(nodes, sql`update users set email_verified_at = null`),
  'not connected': ({ nodes }) => run(nodes, sql`delete from connections`),
  'two factors': ({ nodes }) => run(nodes, sql`update sessions set methods = '["pwd","otp"]'`),
  'signed in long ago': ({ nodes }) =>
    run(nodes, sql`update sessions set authenticated_at = '2026-11-01T10:00:00.000Z'`),
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
    await run(prepared.nodes, sql`update clients set id_token_signed_response_alg = 'RS256' where name = 'JWT API'`)
  },
  'app uses certificates': column({
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_san_dns: 'a.example',
  }),
  'secret optional': column({ require_client_secret: 0 }),
  'secret used just now': column({ secret_last_used_at: '2026-11-21T09:59:50.000Z' }),
  'secret replaced': ({ nodes, app }) =>
    nodes.set(app, {
      previous_secret_hash: hashToken(app.client_secret ?? ''),
      secret_hash: hashToken('another'),
      previous_secret_until: '2026-11-22T10:00:00.000Z',
    }),
  'secret replaced long ago': ({ nodes, app }) =>
    nodes.set(app, {
      previous_secret_hash: hashToken(app.client_secret ?? ''),
      secret_hash: hashToken('another'),
      previous_secret_until: '2026-11-20T10:00:00.000Z',
    }),
  'fewer scopes of the app': column({ scopes: '["openid","notes.read"]' as never }),
  'no scopes of the app': column({ scopes: '[]' as never }),
  'signed in before': column({ first_sign_in_at: '2026-11-20T10:00:00.000Z' }),
  'redirect URI removed': ({ nodes, app }) =>
    run(
      nodes,
      sql`update redirect_uris set redirect_uri = 'https://changed.example/' where client_id = ${app.client_id}`,
    ),
  'second redirect URI': ({ nodes, app }) =>
    run(
      nodes,
      sql`insert into redirect_uris (client_id, redirect_uri, created_at) values (${app.client_id}, ${`${app.redirect_uri}/other`}, '2026-11-21T09:00:00.000Z')`,
    ),
  'no redirect URIs': ({ nodes, app }) => run(nodes, sql`delete from redirect_uris where client_id = ${app.client_id}`),
  'origin registered': ({ nodes, app }) =>
    run(
      nodes,
      sql`insert into origins (client_id, origin, created_at) values (${app.client_id}, 'https://registered.example', '2026-11-21T09:00:00.000Z')`,
    ),
  'APIs disabled': ({ nodes }) => run(nodes, sql`update clients set enabled = 0 where name like '%API'`),
  'app is no service': column({ type: 'web' }),
  'tokens of the app ended': column({ tokens_ended_at: '2026-11-21T10:00:00.000Z' }),
  'tokens of the app ended before': column({ tokens_ended_at: '2026-11-21T09:59:59.000Z' }),
  'app is being deleted': column({ enabled: 0, deleted_at: '2026-11-21T09:59:59.000Z' }),
  'app is not approved': column({ enabled: 0, approval: 'pending', approval_asked_at: '2026-11-21T09:00:00.000Z' }),
  'app rejected': column({ enabled: 0, approval: 'rejected' }),
  'app is trusted': column({ trusted: 1 }),
  'app is trusted and not connected': async (prepared, by) => {
    await column({ trusted: 1 })(prepared, by)
    await run(prepared.nodes, sql`delete from connections`)
  },
  'app wants JWT access tokens': column({ access_token_format: 'jwt' }),
  'app has signed userinfo': column({ userinfo_signed_response_alg: 'ES256' }),
  'app has many origins': ({ nodes, app }) =>
    run(
      nodes,
      sql`insert into origins (client_id, origin, created_at) values (${app.client_id}, 'null', '2026-11-21T09:00:00.000Z')`,
    ),
  'sign-in not complete': ({ nodes }) => run(nodes, sql`update sessions set next_step = 'terms'`),
  'a former cookie': ({ nodes }) =>
    run(
      nodes,
      sql`update sessions set previous_hash = token_hash, token_hash = id, previous_until = '2026-11-21T10:00:30.000Z'`,
    ),
  'a former cookie, too late': ({ nodes }) =>
    run(
      nodes,
      sql`update sessions set previous_hash = token_hash, token_hash = id, previous_until = '2026-11-21T09:59:59.000Z'`,
    ),
  'deletion of the account scheduled': ({ nodes }) =>
    run(
      nodes,
      sql`insert into account_deletions (user_id, requested_at, due_at)
        values (${nodes.ana.native.user.id}, '2026-11-21T09:00:00.000Z', '2026-12-05T09:00:00.000Z')`,
    ),
  'rule of the app opens it to nobody': ({ nodes, app }) =>
    run(nodes, sql`insert into client_access (client_id, mode) values (${app.client_id}, 'groups')`),
  'everything ended': ({ nodes }) => run(nodes, sql`update users set token_generation = token_generation + 1`),
  'scopes of APIs granted': ({ nodes }) =>
    run(nodes, sql`update connections set scopes = '["openid","profile","email","notes.read","books.read"]'`),
  'only a scope of an API left': async (prepared, by) => {
    await tokenPayload('scope', 'profile books.read')(prepared, by)
    await run(prepared.nodes, sql`update connections set scopes = '["books.read"]'`)
  },
  'token with scopes of APIs': async (prepared, by) => {
    await tokenPayload('scope', 'openid notes.read books.read')(prepared, by)
    await run(prepared.nodes, sql`update connections set scopes = '["openid","notes.read","books.read"]'`)
  },
}
