import { clients } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../test/organization.ts'
import { jadrolet, people } from '../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../test/test-server.ts'
import {
  allow,
  authorize,
  codeFor,
  post,
  proofKey,
  refresh,
  signInTo,
  type ThirdParty,
  type Tokens,
  userinfo,
} from '../../test/third-party.ts'

/** Every endpoint rejects a disabled or deleted client (protocol §2.5). */
let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server.close())

type ClientState = {
  app: ThirdParty
  tokens: Tokens
  code: Awaited<ReturnType<typeof codeFor>>['form']
  request_uri: string
}

const ENDS = {
  disabled: (id: string) => ana.call(clients.updateClientInfo, { id, enabled: false }),
  deleted: (id: string) => ana.call(clients.deleteClient, { id }),
}

/** A client with tokens, a code and a pushed request, which is then disabled or deleted. */
async function endedClient(how: keyof typeof ENDS): Promise<ClientState> {
  const app = await organization.app()
  await allow(ana, app)
  const tokens = await signInTo(server, ana, app)
  const { form: code } = await codeFor(ana, app)
  const pushed = await post(server, app, '/par', request(app))
  expect(pushed.statusCode).toBe(201)
  expect(await ENDS[how](app.client_id)).toMatchObject({ ok: true })
  return { app, tokens, code, request_uri: pushed.json().request_uri }
}

function request({ client_id }: ThirdParty) {
  const { challenge } = proofKey()
  return {
    client_id,
    response_type: 'code',
    redirect_uri: jadrolet.redirect_uri,
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
}

const REJECTED = { status: 401, error: 'invalid_client' }
type Rejection = { status: number; error?: string; active?: boolean }
const responseOf = (answer: { statusCode: number; json(): object }): Rejection => ({
  status: answer.statusCode,
  ...answer.json(),
})

/** Each endpoint with its response; `page` is our error page, never an address of the client. */
const ENDPOINTS: [string, (client: ClientState) => Promise<Rejection | { page: string | null }>, object][] = [
  ['authorize', ({ app }) => page(authorize(ana, app)), { page: '/oauth' }],
  ['authorize, silently', ({ app }) => page(authorize(ana, app, { prompt: 'none' })), { page: '/oauth' }],
  [
    'authorize with a pushed request',
    ({ app: { client_id }, request_uri }) => page(authorize(ana, { client_id } as never, { request_uri })),
    { page: '/oauth' },
  ],
  ['a code', async ({ app, code }) => responseOf(await post(server, app, '/token', code)), REJECTED],
  [
    'a refresh token',
    async ({ app, tokens }) => responseOf(await refresh(server, app, tokens.refresh_token)),
    REJECTED,
  ],
  ['userinfo', async ({ tokens }) => responseOf(await userinfo(server, tokens.access_token)), { status: 401 }],
  [
    'introspection of its own token',
    async ({ app, tokens }) => responseOf(await post(server, app, '/introspect', { token: tokens.access_token })),
    REJECTED,
  ],
  ['pushing a request', async ({ app }) => responseOf(await post(server, app, '/par', request(app))), REJECTED],
  [
    'revocation',
    async ({ app, tokens }) => responseOf(await post(server, app, '/revoke', { token: tokens.refresh_token })),
    REJECTED,
  ],
]

async function page(led: Promise<URL>) {
  const { origin, pathname } = await led
  return { page: origin === 'http://localhost:3000' ? pathname : null }
}

describe.each(['disabled', 'deleted'] as const)('a client that is %s', (how) => {
  let state: ClientState
  beforeAll(async () => {
    state = await endedClient(how)
  })

  test.each(ENDPOINTS)('is rejected: %s', async (_, send, expected) => {
    expect(await send(state)).toMatchObject(expected)
  })
})

describe('a service that is', () => {
  test.each(['disabled', 'deleted'] as const)('%s gets no token, and its tokens are invalid', async (how) => {
    const robot = await organization.app({ type: 'service' })
    const given = await post(server, robot, '/token', { grant_type: 'client_credentials' })
    expect(given.statusCode).toBe(200)
    await ENDS[how](robot.client_id)
    expect(responseOf(await post(server, robot, '/token', { grant_type: 'client_credentials' }))).toMatchObject(
      REJECTED,
    )
    expect((await userinfo(server, given.json().access_token)).statusCode).toBe(401)
  })
})

test('a client that is enabled again keeps its consents but not its tokens', async () => {
  const state = await endedClient('disabled')
  const { client_id: id } = state.app
  await ana.call(clients.updateClientInfo, { id, enabled: true })
  expect(responseOf(await refresh(server, state.app, state.tokens.refresh_token))).toMatchObject({
    error: 'invalid_grant',
  })
  expect((await authorize(ana, state.app)).searchParams.get('code')).toBeTruthy()
})

/** Settings of a client, each with a request that violates it. */
const SETTINGS: [string, Partial<clients.Advanced>, (app: ThirdParty) => Promise<unknown>, unknown][] = [
  [
    'require_client_secret',
    {},
    async (app) => responseOf(await exchange({ ...app, client_secret: null })),
    { status: 401, error: 'invalid_client' },
  ],
  [
    'require_pkce',
    {},
    async (app) =>
      (await authorize(ana, app, { code_challenge: undefined, code_challenge_method: undefined })).searchParams.get(
        'error',
      ),
    'invalid_request',
  ],
  [
    'allow_popup',
    {},
    async (app) => (await authorize(ana, app, { response_mode: 'web_message' })).searchParams.has('code'),
    false,
  ],
  ['access_token_ttl', { access_token_ttl: 120 }, async (app) => (await signInTo(server, ana, app)).expires_in, 120],
  [
    'require_pushed_authorization_requests',
    { require_pushed_authorization_requests: true },
    async (app) => (await authorize(ana, app)).searchParams.get('error'),
    'invalid_request',
  ],
  [
    'dpop_bound_access_tokens',
    { dpop_bound_access_tokens: true },
    async (app) => responseOf(await exchange(app)),
    { status: 400, error: 'invalid_grant' },
  ],
]

async function exchange(app: ThirdParty) {
  const { form } = await codeFor(ana, app)
  return post(server, app, '/token', form)
}

test.each(SETTINGS)('the setting %s is enforced', async (_, changes, send, expected) => {
  const app = await organization.app()
  await allow(ana, app)
  expect(await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })).toMatchObject({ ok: true })
  const outcome = await send(app)
  if (typeof expected === 'object') expect(outcome).toMatchObject(expected as object)
  else expect(outcome).toBe(expected)
})

test('refresh tokens expire after the idle lifetime of the client', async () => {
  const app = await organization.app()
  await allow(ana, app)
  await ana.call(clients.updateAdvanced, { id: app.client_id, refresh_token_ttl: 3600 })
  const { refresh_token } = await signInTo(server, ana, app)
  server.clock.advance(3601)
  expect(responseOf(await refresh(server, app, refresh_token))).toMatchObject({ status: 400, error: 'invalid_grant' })
})
