import { type clientDiagnostics, problem } from '@vrata/contract'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import inject from 'light-my-request'
import type { UserActor } from '../../http/actors.ts'
import type { IssuerContext } from '../endpoints/serve-provider.ts'
import { ROUTES } from '../paths.ts'
import { setForwardedOrigin } from '../provider/compat/compat-requests.ts'
import { runProviderRequest } from '../request/current-request.ts'
import { ProviderRequest } from '../request/provider-request.ts'
import { testRedirectUri } from './test-client-metadata.ts'

type TestCode = { client_id: string; code: string; code_verifier: string }
type Outcome = { status: number; body: Record<string, unknown>; request: ProviderRequest }
type Result = clientDiagnostics.TestSignInResult

const NOTHING: Result = { error: null, scope: null, expires_in: null, id_token: null, userinfo: null }

/**
 * Exchanges the code of a test sign-in by oidc-provider's own token endpoint and reads userinfo, as the client would. The
 * developer's session takes the place of client authentication, so only the user's own sign-in is answered. No token leaves
 * this function.
 */
export async function exchangeTestCode(
  context: IssuerContext,
  actor: UserActor,
  { client_id, code, code_verifier }: TestCode,
): Promise<Result> {
  const form = {
    grant_type: 'authorization_code',
    client_id,
    code,
    code_verifier,
    redirect_uri: testRedirectUri(context.deps.config),
  }
  const token = await send(context, actor, 'POST', ROUTES.token, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })
  if (token.status !== 200) return { ...NOTHING, error: errorOf(token) }
  const { id_token, access_token, scope, expires_in } = token.body
  const decoded = typeof id_token === 'string' ? decode(id_token) : null
  const client = await context.clients.find(client_id)
  const sub = client && (await context.deps.subjects.of(client, actor.user_id))
  // The code was issued to another user's browser.
  if (decoded && decoded.claims.sub !== sub) throw problem('not_found')

  const userinfo = await send(context, actor, 'GET', ROUTES.userinfo, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  return {
    error: userinfo.status === 200 ? null : errorOf(userinfo),
    scope: typeof scope === 'string' ? scope : null,
    expires_in: typeof expires_in === 'number' ? expires_in : null,
    id_token: decoded,
    userinfo: userinfo.status === 200 ? userinfo.body : null,
  }
}

async function send(
  { deps, clients, keys, clientErrors, unknownCommits, provider }: IssuerContext,
  actor: UserActor,
  method: 'GET' | 'POST',
  url: string,
  { headers, payload }: { headers: Record<string, string>; payload?: string },
): Promise<Outcome> {
  const snapshot = provider.snapshot()
  const request = new ProviderRequest(deps, {
    clients,
    keys,
    clientErrors,
    unknownCommits,
    publishedKeys: snapshot.publishedKeys,
    sessionCookie: undefined,
    visitor: () => actor,
    path: url,
    test: true,
  })
  const response = await inject(
    (raw, reply) => {
      setForwardedOrigin(raw, deps.config.url)
      void runProviderRequest(request, () => snapshot.handle(raw, reply))
    },
    { method, url, headers, ...(payload === undefined ? {} : { payload }) },
  )
  return { status: response.statusCode, body: response.json(), request }
}

function decode(token: string): NonNullable<Result['id_token']> {
  return { header: { ...decodeProtectedHeader(token) }, claims: { ...decodeJwt(token) } }
}

function errorOf({ body, request }: Outcome): NonNullable<Result['error']> {
  const { error, error_description } = body
  return {
    error: typeof error === 'string' ? error : 'server_error',
    error_description: typeof error_description === 'string' ? error_description : null,
    reason: request.clientError.error?.reason ?? null,
  }
}
