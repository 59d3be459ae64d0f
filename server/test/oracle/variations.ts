import { paths } from '@vrata/contract'
import type { Prepared } from './token-requests.ts'

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
    put('client_secret', ({ app, nodes }) => app.client_secret ?? (nodes.apps.plain.client_secret as string)),
  ),
  'wrong secret in the form': all(
    withoutHeader('authorization'),
    put('client_id', ({ app }) => app.client_id),
    put('client_secret', 'wrong'),
  ),
  'secret in header and form': put('client_secret', ({ app }) => app.client_secret ?? 'x'),
  'client id in header and form': put('client_id', ({ app }) => app.client_id),
  'client id of another app': put('client_id', ({ nodes }) => nodes.apps.stranger.client_id),
  'credentials of another app': header('authorization', ({ nodes: { apps } }) =>
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
  resource: put('resource', ({ nodes }) => `${nodes.native.config.url}/resources/${nodes.apps.api.client_id}`),
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
  'redirect URI of test sign-ins': put('redirect_uri', ({ nodes }) => `${nodes.native.config.url}${paths.testSignIn}`),
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
  'a scope of a JWT API as well': put('scope', 'openid books.read'),
  'a scope of an API as well': put('scope', 'openid notes.read'),
  // Characters and lengths
  'NUL in the code': put('code', ({ token }) => `${token}\0`),
  'NUL in the refresh token': put('refresh_token', ({ token }) => `${token}\0`),
  'NUL in the client id': put('client_id', ({ app }) => `${app.client_id}\0`),
  'NUL in the redirect URI': put('redirect_uri', ({ app }) => `${app.redirect_uri}\0`),
  'NUL in the state': put('state', 'a\0b'),
  'NUL in the nonce': put('nonce', 'a\0b'),
  'NUL in the scope': put('scope', 'openid\0 email'),
  'a line feed after the code': put('code', ({ token }) => `${token}\n`),
  'a line feed in the state': put('state', 'a\r\nlocation: b'),
  'a line feed in the scope': put('scope', 'openid\nemail'),
  'half a character': payload((form) => `${form}&redirect_uri=%ED%A0%80`),
  'half a character in the verifier': payload((form) => form.replace('code_verifier=', 'code_verifier=%ED%A0%80')),
  'half a character and a broken escape in the state': payload((form) => form.replace('state=', 'state=%ED%A0%80%zz')),
  'a long token': put('refresh_token', ({ token }) => token + 'x'.repeat(5000)),
  'a long state': put('state', 'x'.repeat(4000)),
  'a long nonce': put('nonce', 'x'.repeat(4000)),
  'many scopes': put('scope', `openid ${'email '.repeat(300)}profile`),
  'a thousand empty parameters before another': payload(
    (form) => `${form}${'&'.repeat(1100)}resource=https://a.example`,
  ),
  'a thousand empty parameters before a second one': payload((form) => `${form}${'&'.repeat(1100)}grant_type=x`),
  // Less common parameters and headers
  'acr values': put('acr_values', '2'),
  'id token hint': put('id_token_hint', 'a.b.c'),
  display: put('display', 'popup'),
  'prompt create': put('prompt', 'create'),
  'empty state': put('state', ''),
  'empty nonce': put('nonce', ''),
  'nonce twice': twice('nonce'),
  'challenge twice': twice('code_challenge'),
  'no accept header': withoutHeader('accept'),
  'no user agent': withoutHeader('user-agent'),
  'accept header in upper case': header('accept', 'TEXT/HTML'),
  'HTML last': header('accept', 'text/html,application/json;q=2'),
}
