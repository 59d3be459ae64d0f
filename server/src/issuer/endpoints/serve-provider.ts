import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { AppDeps } from '../../deps.ts'
import type { ClientErrorLog } from '../../features/client-diagnostics/public.ts'
import { ipOf } from '../../http/client-ip.ts'
import { CookieJar } from '../../http/cookies.ts'
import { anonymousActor } from '../../http/guards/request-guards.ts'
import { ONLY_HTTPS } from '../../http/response-headers.ts'
import type { certificateReader } from '../certificates/client-certificate.ts'
import type { ClientKeys } from '../keys/client-keys.ts'
import { MetadataDocuments } from '../metadata-documents/metadata-documents.ts'
import { CONFIRM_PATH, CONSENT_PATH, ROUTES } from '../paths.ts'
import type { ClientCache } from '../provider/clients/client-cache.ts'
import { setFormBody, setForwardedOrigin } from '../provider/compat/compat-requests.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { runProviderRequest } from '../request/current-request.ts'
import { ProviderRequest } from '../request/provider-request.ts'
import type { RememberedRows } from '../request/remembered-rows.ts'
import type { UnknownCommits } from '../request/unknown-commits.ts'

/** Dependencies of the endpoints of the issuer. */
export interface IssuerContext {
  deps: AppDeps
  provider: CurrentProvider
  clients: ClientCache
  documents: MetadataDocuments
  keys: ClientKeys
  clientErrors: ClientErrorLog
  unknownCommits: UnknownCommits
  /** Undefined on SQLite, where a read costs little. */
  remembered: RememberedRows | undefined
  /** Reads the client certificate of a request (RFC 8705). */
  certificateOf: ReturnType<typeof certificateReader>
}

/** Where a client begins, so that its metadata document may be requested for the first time. */
const FIRST_REQUESTS = [ROUTES.authorization, CONSENT_PATH, ROUTES.pushed_authorization_request]

/** Headers of every response. oidc-provider adds the hash of its script for `form_post`. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Endpoints for clients whose responses contain no addresses of this server. */
const WITH_ALIAS: readonly string[] = [
  ROUTES.token,
  ROUTES.pushed_authorization_request,
  ROUTES.backchannel_authentication,
  ROUTES.introspection,
  ROUTES.revocation,
  ROUTES.userinfo,
]

/**
 * The origin of the address that a DPoP proof (`htu`, RFC 9449 §4.2) or a client assertion (`aud`) names: where the operator's proxy
 * asks for certificates, it is that origin (RFC 8705 §5).
 */
function originOf({ url, mtls }: AppDeps['config'], request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? ''
  if (!mtls?.url || !WITH_ALIAS.includes(path)) return url
  return request.host === new URL(mtls.url).host ? mtls.url : url
}

/** Headers of a response that is not sent by Fastify. */
export function headersOf({ secure }: Pick<Config, 'secure'>, request: FastifyRequest, reply: FastifyReply) {
  return { ...HEADERS, ...(secure ? ONLY_HTTPS : {}), ...reply.getHeaders(), 'x-request-id': request.id }
}

/** The form of a request; undefined for one without a body. */
export function formOf({ body }: FastifyRequest): URLSearchParams | undefined {
  return typeof body === 'string' ? new URLSearchParams(body) : undefined
}

/** Scopes that a request names in its form or query. */
function scopesOf(request: FastifyRequest): string[] {
  const form = formOf(request)
  const scope = form ? form.get('scope') : (request.query as { scope?: unknown }).scope
  return typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []
}

/** Passes a request, whose form has been read, to the current provider snapshot. */
export async function serveProvider(
  { deps, provider }: IssuerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  providerRequest: ProviderRequest,
): Promise<void> {
  const snapshot = await provider.withScopes(scopesOf(request))
  const { raw } = request
  setForwardedOrigin(raw, originOf(deps.config, request))
  if (request.method === 'POST') setFormBody(raw, typeof request.body === 'string' ? request.body : '')
  reply.hijack()
  for (const [name, value] of Object.entries(headersOf(deps.config, request, reply)))
    if (value !== undefined) reply.raw.setHeader(name, value)
  await runProviderRequest(providerRequest, () => snapshot.handle(raw, reply.raw))
}

/** Creates the provider request of an HTTP request. `remembered` is for native answers only: oidc-provider reads. */
export function providerRequestFor(
  { deps, clients, documents, keys, clientErrors, unknownCommits, provider, certificateOf }: IssuerContext,
  request: FastifyRequest,
  remembered?: RememberedRows,
): ProviderRequest {
  const path = request.url.split('?')[0] ?? ''
  // The other endpoints do not limit how often an address asks.
  const ip = FIRST_REQUESTS.some((start) => path.startsWith(start)) ? ipOf(request) : undefined
  const find = (id: string) => (MetadataDocuments.isAddress(id) ? documents.find(id, ip) : clients.find(id))
  return new ProviderRequest(
    { ...deps, log: request.log },
    {
      clients: { find },
      keys,
      publishedKeys: provider.snapshot().publishedKeys,
      clientErrors,
      unknownCommits,
      remembered,
      sessionCookie: new CookieJar(deps.config, request.headers.cookie).read('session'),
      certificate: certificateOf(request),
      visitor: () => anonymousActor(deps, request),
      path,
      xsrf: path === CONFIRM_PATH ? (formOf(request)?.get('xsrf') ?? undefined) : undefined,
      logged: request,
    },
  )
}
