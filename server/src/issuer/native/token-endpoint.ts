import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type IssuerClient, recordSecretUse } from '../../features/clients/public.ts'
import { headersOf, type IssuerContext, providerRequestFor, serveProvider } from '../endpoints/serve-provider.ts'
import { ROUTES } from '../paths.ts'
import type { ProviderSnapshot } from '../provider/provider-snapshot.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { answerNatively } from './answer-natively.ts'
import { authorizationCodeGrant } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import { isCommitted } from './is-committed.ts'
import { refreshTokenGrant } from './refresh-token.ts'
import { tokenClient } from './token-client.ts'
import { type TokenForm, tokenForm } from './token-form.ts'
import type { Granted, TokenResponse } from './token-response.ts'

type Grant = (
  request: ProviderRequest,
  snapshot: ProviderSnapshot,
  client: IssuerClient,
  form: TokenForm,
) => Promise<Granted | undefined>

const GRANTS: ReadonlyMap<string | undefined, Grant> = new Map([
  ['client_credentials', clientCredentials],
  ['refresh_token', refreshTokenGrant],
  ['authorization_code', authorizationCodeGrant],
])

/**
 * The token endpoint. Plain requests that succeed are answered here; every other one by oidc-provider, before anything is
 * written (decision 0096).
 */
export function mountTokenEndpoint(app: FastifyInstance, context: IssuerContext): void {
  app.post(ROUTES.token, async (request, reply) => {
    const answer = context.deps.config.native_tokens && (await answerOf(context, request))
    if (answer) return send(context, request, reply, answer)
    return serveProvider(context, request, reply, providerRequestFor(context, request))
  })
}

async function answerOf(context: IssuerContext, request: FastifyRequest): Promise<TokenResponse | undefined> {
  const form = tokenForm(request)
  const grant = GRANTS.get(form?.grant_type)
  if (!form || !grant) return undefined
  return await answerNatively(context, request, async (providerRequest) => {
    const granted = await grantedOf(context, request, providerRequest, form, grant)
    if (!granted) return undefined
    if (granted.next) context.remembered?.put(granted.next.token_hash, granted.next)
    return granted.response
  })
}

async function grantedOf(
  context: IssuerContext,
  request: FastifyRequest,
  providerRequest: ProviderRequest,
  form: TokenForm,
  grant: Grant,
): Promise<Granted | undefined> {
  const authenticated = await tokenClient(providerRequest, request.headers, form)
  if (!authenticated) return undefined
  const { client, secret } = authenticated
  const granted = await grant(providerRequest, context.provider.snapshot(), client, form)
  if (!granted) return undefined
  const use = secret === 'current' && recordSecretUse(client, providerRequest.now)
  if (use) providerRequest.finalWrites.push(use)
  if (!(await isCommitted(providerRequest))) return undefined
  request.client_id = client.client_id
  if (granted.user_id) request.user_id = granted.user_id
  request.native = true
  request.grant_type = form.grant_type
  return granted
}

function corsHeaders({ headers: { origin } }: FastifyRequest): Record<string, string> {
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin || '*',
    'access-control-expose-headers': 'WWW-Authenticate',
  }
}

/** Headers of oidc-provider's responses at this endpoint. */
function send({ deps }: IssuerContext, request: FastifyRequest, reply: FastifyReply, answer: TokenResponse): void {
  // A text is sent together with the headers, a buffer after them.
  const body = JSON.stringify(answer)
  const headers = headersOf(deps.config, request, reply)
  reply.hijack()
  reply.raw.writeHead(200, {
    ...(headers as Record<string, string>),
    ...corsHeaders(request),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  reply.raw.end(body)
}
