import { type clients, LIFETIMES } from '@vrata/contract'
import { timeAfter, toFlag, toJson, toTime } from '../../../db/values.ts'
import type { TransactionDeps } from '../../../deps.ts'
import {
  deleteOrigin,
  deleteRedirectUri,
  insertOrigin,
  insertRedirectUri,
  listOrigins,
  listRedirectUris,
} from '../addresses/address-store.ts'
import { newClientRow } from '../create.ts'
import { announceClientChange } from '../own-client.ts'
import { ANY_SCOPE } from '../scopes/allowed-scopes.ts'
import { deleteUnusedDocuments, upsertDocument, upsertUnregisteredClient } from './document-store.ts'
import { UNREGISTERED } from './unregistered.ts'

/** A checked client ID metadata document (draft-ietf-oauth-client-id-metadata-document-02 §4). */
export interface MetadataDocument {
  client_id: string
  client_name: string | null
  client_uri: string | null
  policy_uri: string | null
  tos_uri: string | null
  redirect_uris: string[]
  token_endpoint_auth_method: 'none' | 'private_key_jwt'
  token_endpoint_auth_signing_alg: clients.Advanced['token_endpoint_auth_signing_alg']
  id_token_signed_response_alg: clients.SigningAlgorithm
  dpop_bound_access_tokens: boolean
  jwks: clients.Advanced['jwks']
  jwks_uri: string | null
  /** Undefined: every scope. */
  scopes: string[] | undefined
}

/**
 * Inserts or updates the client that a document describes. Its name is the host of the document, which is verified. Another server may have
 * stored meanwhile a document that it has requested later; that one stays.
 */
export async function storeMetadataDocument(
  deps: TransactionDeps,
  document: MetadataDocument,
  { requested_at, fresh_until }: { requested_at: Date; fresh_until: string },
): Promise<void> {
  const { client_id, token_endpoint_auth_method: method } = document
  const type = typeOf(document)
  const row = newClientRow(
    { client_id, developer_id: UNREGISTERED, name: new URL(client_id).host, type },
    {
      require_client_secret: toFlag(method === 'private_key_jwt'),
      token_endpoint_auth_method: method,
      secret_hash: null,
      secret_hint: null,
      secret_created_at: null,
    },
    requested_at,
  )
  const changes = {
    // The only place for what the document says of itself; nothing else describes the client.
    description: document.client_name,
    home_page_url: document.client_uri,
    privacy_policy_url: document.policy_uri,
    terms_of_service_url: document.tos_uri,
    type,
    scopes: toJson(document.scopes ?? [ANY_SCOPE]),
    require_client_secret: row.require_client_secret,
    token_endpoint_auth_method: method,
    token_endpoint_auth_signing_alg: document.token_endpoint_auth_signing_alg,
    id_token_signed_response_alg: document.id_token_signed_response_alg,
    dpop_bound_access_tokens: toFlag(document.dpop_bound_access_tokens),
    jwks: document.jwks && toJson(document.jwks),
    jwks_uri: document.jwks_uri,
    access_token_ttl: LIFETIMES.access_token,
    updated_at: toTime(requested_at),
  }
  if (!(await upsertUnregisteredClient(deps.db, { ...row, ...changes }, changes))) return
  await upsertDocument(deps.db, { client_id, fetched_at: toTime(deps.clock.now()), fresh_until })
  await replaceAddresses(deps, row, document)
  await announceClientChange(deps, client_id)
}

/** Loopback addresses and private-use schemes are those of installed programs (RFC 8252 §7). */
function typeOf({ redirect_uris, token_endpoint_auth_method }: MetadataDocument): clients.ClientType {
  if (redirect_uris.some((uri) => !uri.startsWith('https:'))) return 'native'
  return token_endpoint_auth_method === 'none' ? 'spa' : 'web'
}

async function replaceAddresses(
  deps: TransactionDeps,
  client: { client_id: string; developer_id: string },
  { redirect_uris }: MetadataDocument,
): Promise<void> {
  const { db } = deps
  const now = toTime(deps.clock.now())
  const former = await listRedirectUris(db, client)
  for (const uri of redirect_uris) if (!former.includes(uri)) await insertRedirectUri(db, client, uri, now)
  const removed = former.filter((uri) => !redirect_uris.includes(uri))
  for (const uri of removed) await deleteRedirectUri(db, client, uri)
  if (removed.length > 0) await deps.revoke('redirect_uri_removed', { client_id: client.client_id })
  // Pages call the token endpoint from the origins of their redirect URIs, as with dynamic registration (decision 0031).
  const origins = redirect_uris.filter((uri) => uri.startsWith('https:')).map((uri) => new URL(uri).origin)
  const formerOrigins = await listOrigins(db, client)
  for (const origin of new Set(origins))
    if (!formerOrigins.includes(origin)) await insertOrigin(db, client, origin, now)
  for (const origin of formerOrigins) if (!origins.includes(origin)) await deleteOrigin(db, client, origin)
}

/** Seconds after which a document without a connection is deleted: never used, or used once. */
const KEPT = { unused: 86_400, used: 90 * 86_400 }

/** Deletes unregistered clients without connections. */
export async function pruneMetadataDocuments({ db, clock }: Pick<TransactionDeps, 'db' | 'clock'>, most: number) {
  const before = (seconds: number) => timeAfter(clock.now(), -seconds)
  return await deleteUnusedDocuments(db, { unused: before(KEPT.unused), used: before(KEPT.used) }, most)
}

/** Deletes those among them whose document is older than a request can wait for its user, the oldest first. */
export async function makeRoomForDocuments({ db, clock }: Pick<TransactionDeps, 'db' | 'clock'>, most: number) {
  const before = timeAfter(clock.now(), -LIFETIMES.interaction)
  await deleteUnusedDocuments(db, { unused: before, used: before }, most)
}
