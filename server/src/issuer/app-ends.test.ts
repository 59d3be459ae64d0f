import { clients } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
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

/** What a disabled or deleted app meets, wherever it turns (issue 5, sentence 6; specification §4). */
let house: House
let ana: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house.close())

type Held = { app: ThirdParty; tokens: Tokens; code: Awaited<ReturnType<typeof codeFor>>['form']; request_uri: string }

const ENDS = {
  disabled: (id: string) => ana.call(clients.updateClientInfo, { id, enabled: false }),
  deleted: (id: string) => ana.call(clients.deleteClient, { id }),
}

/** An app with everything that an app can hold, and then no longer there. */
async function ended(how: keyof typeof ENDS): Promise<Held> {
  const app = await organisation.app()
  await allow(ana, app)
  const tokens = await signInTo(house, ana, app)
  const { form: code } = await codeFor(ana, app)
  const pushed = await post(house, app, '/par', request(app))
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

const REFUSED = { status: 401, error: 'invalid_client' }
type Refusal = { status: number; error?: string; active?: boolean }
const answered = (answer: { statusCode: number; json(): object }): Refusal => ({
  status: answer.statusCode,
  ...answer.json(),
})

/** Each place, and what it says; `page` is an error page of ours, never the app's address. */
const PLACES: [string, (held: Held) => Promise<Refusal | { page: string | null }>, object][] = [
  ['authorize', ({ app }) => page(authorize(ana, app)), { page: '/oauth' }],
  ['authorize, silently', ({ app }) => page(authorize(ana, app, { prompt: 'none' })), { page: '/oauth' }],
  [
    'authorize with what was sent ahead',
    ({ app: { client_id }, request_uri }) => page(authorize(ana, { client_id } as never, { request_uri })),
    { page: '/oauth' },
  ],
  ['a code', async ({ app, code }) => answered(await post(house, app, '/token', code)), REFUSED],
  ['a refresh token', async ({ app, tokens }) => answered(await refresh(house, app, tokens.refresh_token)), REFUSED],
  ['userinfo', async ({ tokens }) => answered(await userinfo(house, tokens.access_token)), { status: 401 }],
  [
    'introspection by itself',
    async ({ app, tokens }) => answered(await post(house, app, '/introspect', { token: tokens.access_token })),
    REFUSED,
  ],
  ['sending a request ahead', async ({ app }) => answered(await post(house, app, '/par', request(app))), REFUSED],
  [
    'revocation',
    async ({ app, tokens }) => answered(await post(house, app, '/revoke', { token: tokens.refresh_token })),
    REFUSED,
  ],
]

async function page(led: Promise<URL>) {
  const { origin, pathname } = await led
  return { page: origin === 'http://localhost:3000' ? pathname : null }
}

describe.each(['disabled', 'deleted'] as const)('§4 an app that is %s', (how) => {
  let held: Held
  beforeAll(async () => {
    held = await ended(how)
  })

  test.each(PLACES)('is refused: %s', async (_, turn, expected) => {
    expect(await turn(held)).toMatchObject(expected)
  })
})

describe('§4 a service that is', () => {
  test.each(['disabled', 'deleted'] as const)('%s gets no token, and those it has are worth nothing', async (how) => {
    const robot = await organisation.app({ type: 'service' })
    const given = await post(house, robot, '/token', { grant_type: 'client_credentials' })
    expect(given.statusCode).toBe(200)
    await ENDS[how](robot.client_id)
    expect(answered(await post(house, robot, '/token', { grant_type: 'client_credentials' }))).toMatchObject(REFUSED)
    expect((await userinfo(house, given.json().access_token)).statusCode).toBe(401)
  })
})

test('§4 an app that is enabled again goes on with the consent, but not with what it held', async () => {
  const held = await ended('disabled')
  const { client_id: id } = held.app
  await ana.call(clients.updateClientInfo, { id, enabled: true })
  expect(answered(await refresh(house, held.app, held.tokens.refresh_token))).toMatchObject({ error: 'invalid_grant' })
  expect((await authorize(ana, held.app)).searchParams.get('code')).toBeTruthy()
})

/** The switches of an app (api.md §6): what a request without it meets. */
const SWITCHES: [string, Partial<clients.Advanced>, (app: ThirdParty) => Promise<unknown>, unknown][] = [
  [
    'require_client_secret',
    {},
    async (app) => answered(await exchange({ ...app, client_secret: null })),
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
  ['access_token_ttl', { access_token_ttl: 120 }, async (app) => (await signInTo(house, ana, app)).expires_in, 120],
  [
    'require_pushed_authorization_requests',
    { require_pushed_authorization_requests: true },
    async (app) => (await authorize(ana, app)).searchParams.get('error'),
    'invalid_request',
  ],
  [
    'dpop_bound_access_tokens',
    { dpop_bound_access_tokens: true },
    async (app) => answered(await exchange(app)),
    { status: 400, error: 'invalid_grant' },
  ],
]

async function exchange(app: ThirdParty) {
  const { form } = await codeFor(ana, app)
  return post(house, app, '/token', form)
}

test.each(SWITCHES)('§6 the switch %s is obeyed', async (_, changes, turn, expected) => {
  const app = await organisation.app()
  await allow(ana, app)
  expect(await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })).toMatchObject({ ok: true })
  const outcome = await turn(app)
  if (typeof expected === 'object') expect(outcome).toMatchObject(expected as object)
  else expect(outcome).toBe(expected)
})

test('§6 refresh tokens end unused when the app says so', async () => {
  const app = await organisation.app()
  await allow(ana, app)
  await ana.call(clients.updateAdvanced, { id: app.client_id, refresh_token_ttl: 3600 })
  const { refresh_token } = await signInTo(house, ana, app)
  house.clock.advance(3601)
  expect(answered(await refresh(house, app, refresh_token))).toMatchObject({ status: 400, error: 'invalid_grant' })
})
