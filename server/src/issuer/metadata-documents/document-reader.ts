import { generateKeyPairSync } from 'node:crypto'
import { clients, LIMITS } from '@vrata/contract'
import { jwks } from '@vrata/contract/client-keys'
import * as f from '@vrata/contract/fields'
import { errors, Provider } from 'oidc-provider'
import { z } from 'zod'
import { type Outbound, type OutboundAnswer, OutboundRefused } from '../../adapters/outbound-http.ts'
import type { MetadataDocument } from '../../features/clients/public.ts'
import { DocumentRejected } from './document-rejected.ts'

/** Bytes of a document (draft-ietf-oauth-client-id-metadata-document-02 §6.6 recommends 5 KB). */
const MAX_BYTES = 5 * 1024
/** Seconds for which a document is used without asking again, whatever its headers say, and without headers. */
const FRESH = { min: 60, max: 86_400, default: 600 }

/** Members used of the metadata that oidc-provider has accepted; all others are ignored. */
const TAKEN = z.object({
  client_name: f.line(LIMITS.name_max, 1).nullable().catch(null).default(null),
  client_uri: f.pageUrl.nullable().default(null),
  policy_uri: f.pageUrl.nullable().default(null),
  tos_uri: f.pageUrl.nullable().default(null),
  redirect_uris: z.array(f.redirectUri).min(1).max(LIMITS.uris_per_client),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']),
  token_endpoint_auth_signing_alg: z.enum(clients.CLIENT_SIGNING_ALGORITHMS).nullable().default(null),
  id_token_signed_response_alg: z.enum(clients.SIGNING_ALGORITHMS).default(clients.SIGNING_ALGORITHMS[0]),
  dpop_bound_access_tokens: z.boolean().default(false),
  jwks: jwks.nullable().default(null),
  jwks_uri: f.serverUrl.nullable().default(null),
  scope: z
    .string()
    .transform((words) => words.split(' ').filter(Boolean))
    .pipe(z.array(f.scopeKey).min(1).max(LIMITS.requested_scopes))
    .optional(),
})

/**
 * Reads client ID metadata documents. A provider of its own checks them with the experimental feature of oidc-provider: the
 * provider that serves requests gets these clients from the database, as all others (decision 0031).
 */
export class DocumentReader {
  readonly #outbound: Outbound
  readonly #provider: Provider
  /** Documents that are being read, by address. */
  readonly #loads = new Map<string, Load>()

  constructor(outbound: Outbound) {
    this.#outbound = outbound
    this.#provider = createProvider((address) => this.#load(address))
  }

  /**
   * Requests a document; not twice at a time for one address. Throws `DocumentRejected` for an invalid address or document,
   * and what the request throws when the host does not answer.
   */
  async read(client_id: string): Promise<{ document: MetadataDocument; fresh_for: number }> {
    const load: Load = { own: {}, fresh_for: FRESH.default, error: undefined }
    this.#loads.set(client_id, load)
    try {
      const client = await this.#provider.Client.find(client_id)
      if (!client) throw new DocumentRejected('the address is not a valid client identifier')
      return { document: taken(client_id, { ...client.metadata(), ...load.own }), fresh_for: load.fresh_for }
    } catch (error) {
      if (load.error) throw load.error
      if (error instanceof errors.OIDCProviderError && !(error instanceof DocumentRejected)) {
        throw new DocumentRejected(reasonOf(error))
      }
      throw error
    } finally {
      this.#loads.delete(client_id)
    }
  }

  /** Called by the provider once it has accepted the address. */
  async #load(address: string): Promise<Response> {
    const load = this.#loads.get(address)
    if (!load) throw new Error('a document must not lead to further requests')
    try {
      const answer = await this.#outbound.send(address, { headers: { accept: 'application/json' }, bytes: MAX_BYTES })
      const { scope, id_token_signed_response_alg, ...metadata } = parse(answer)
      load.own = { scope, id_token_signed_response_alg }
      load.fresh_for = freshFor(answer)
      return Response.json({ ...metadata, ...acceptableRedirectUris(metadata.redirect_uris) })
    } catch (error) {
      load.error = error
      throw error
    }
  }
}

type Load = {
  /** Members that the provider does not check, because it knows neither our scopes nor our signing keys. */
  own: Record<string, unknown>
  fresh_for: number
  error: unknown
}

function createProvider(load: (address: string) => Promise<Response>): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return new Provider('https://documents.invalid', {
    // Required, and never used.
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as never] },
    adapter: () => ({ find: async () => undefined }) as never,
    clientAuthMethods: ['none', 'private_key_jwt'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access'],
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: [...clients.CLIENT_SIGNING_ALGORITHMS],
    },
    fetch: (address) => load(String(address)),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: true },
      // Experimental: a version that changes it names another value here and does not start with this one. Documents are kept
      // in the database, so its cache is off.
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 0, max: 0 } },
    },
  })
}

function parse({ status, headers, body }: OutboundAnswer): Record<string, unknown> {
  // As no answer, because it says nothing about the document, which is used for a while (RFC 9111 §4.2.4).
  if (status >= 500 || status === 429) throw new OutboundRefused(`the address answered ${status}`)
  if (status !== 200) throw new DocumentRejected(`the address answered ${status}`)
  const type =
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase() ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type)) throw new DocumentRejected('the answer is not application/json')
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    throw new DocumentRejected('the answer is not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new DocumentRejected('the answer is not a JSON object')
  }
  return parsed as Record<string, unknown>
}

/**
 * Documents serve many authorization servers, so redirect URIs that are not accepted here are left out; a request that uses
 * one of them is rejected. Private-use schemes are those of installed programs (RFC 8252 §7.1).
 */
function acceptableRedirectUris(given: unknown) {
  if (!Array.isArray(given)) return { redirect_uris: given }
  const redirect_uris = given.filter((uri) => f.redirectUri.safeParse(uri).success).map(String)
  const native = redirect_uris.some((uri) => !/^https?:/.test(uri))
  return { redirect_uris, application_type: native ? 'native' : 'web' }
}

function taken(client_id: string, metadata: object): MetadataDocument {
  const parsed = TAKEN.safeParse(metadata)
  if (!parsed.success) throw new DocumentRejected(`${String(parsed.error.issues[0]?.path[0])} is not accepted`)
  const { scope, client_uri, policy_uri, tos_uri, ...document } = parsed.data
  // Links to other hosts would lend their names to the client.
  const own = (uri: string | null) => (uri && new URL(uri).origin === new URL(client_id).origin ? uri : null)
  // Otherwise a document could make this server send requests to hosts that have nothing to do with it.
  if (document.jwks_uri && new URL(document.jwks_uri).origin !== new URL(client_id).origin) {
    throw new DocumentRejected('jwks_uri is not at the origin of the document')
  }
  const pages = { client_uri: own(client_uri), policy_uri: own(policy_uri), tos_uri: own(tos_uri) }
  return { client_id, ...document, ...pages, scopes: scope }
}

/** The library's own words about the document, without values of it. */
function reasonOf({ error_description = '' }: errors.OIDCProviderError): string {
  return error_description.replace(/^client_id metadata document /, '') || 'the document is invalid'
}

/** Seconds for which the answer may be used (RFC 9111 §5.2.2), within our bounds. */
function freshFor({ headers }: OutboundAnswer): number {
  const directives = String(headers['cache-control'] ?? '').toLowerCase()
  if (/(?:^|[\s,])no-(?:store|cache)\b/.test(directives)) return FRESH.min
  const age = /(?:^|[\s,])max-age=(\d{1,9})/.exec(directives)?.[1]
  return age === undefined ? FRESH.default : Math.min(Math.max(Number(age), FRESH.min), FRESH.max)
}
