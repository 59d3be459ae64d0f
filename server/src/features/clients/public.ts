import type { clients, connections } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromFlag, fromJson } from '../../db/values.ts'
import { type DeveloperCard, findDeveloperCards, isApproved } from '../developers/public.ts'
import type { ClientCard } from '../extension-points.ts'
import { listOrigins, listRedirectUris } from './addresses/address-store.ts'
import { isOfRedirectOrigin, toAdvanced } from './advanced/advanced.ts'
import { findDocument } from './metadata-documents/document-store.ts'
import { UNREGISTERED } from './metadata-documents/unregistered.ts'
import { type ClientRow, findClientById, listClientsById } from './store.ts'

export {
  findRedirectUrisOfEnabledClient,
  listOrigins,
  listRedirectUris,
  redirectUriOfEnabledClient,
} from './addresses/address-store.ts'
export { addOrigin, listClientOrigins, removeOrigin } from './addresses/origins.ts'
export { addRedirectUri, listClientRedirectUris, removeRedirectUri } from './addresses/redirect-uris.ts'
export { type SectorDocument, withSectorDocument } from './addresses/sector.ts'
export { updateAdvanced } from './advanced/advanced.ts'
export { isKeyMethod, isTlsMethod, needsCertificates } from './advanced/client-certificates.ts'
export { createClient, createRegisteredClient, insertNewClient, newClientRow } from './create.ts'
export {
  DELETE_CLIENT_JOB,
  type DeleteClientJob,
  finishDeletion,
  hasManyUsers,
  onDeveloperDeleted,
} from './deletion.ts'
export { hasConnections, listDeletedClients } from './deletion-store.ts'
export { recordFirstSignIn } from './first-sign-in.ts'
export { cancelLogos, LOGO_JOB, setLogo } from './icon.ts'
export { deleteClient, updateClientInfo } from './info.ts'
export { decodeClientCursor, encodeClientCursor } from './list.ts'
export { countDocuments, countUnconnectedDocuments } from './metadata-documents/document-store.ts'
export {
  type MetadataDocument,
  makeRoomForDocuments,
  pruneMetadataDocuments,
  storeMetadataDocument,
} from './metadata-documents/metadata-documents.ts'
export { UNREGISTERED } from './metadata-documents/unregistered.ts'
export { setClientsOfDeveloper, updateOperatorSettings } from './operator-settings.ts'
export { announceClientChange, findOwnClient, findOwnClientForUpdate } from './own-client.ts'
export { ANY_SCOPE, mayRequest } from './scopes/allowed-scopes.ts'
export {
  deleteRequestedScope,
  findClientByScopePrefix,
  listRequestingClients,
  updateScopePrefix,
} from './scopes/scope-store.ts'
export { newClientSecret, recordSecretUse, regenerateSecret, replaceSecret, verifyClientSecret } from './secret.ts'
export {
  type ClientRow,
  clearAccessChange,
  clearTokensEndedAt,
  enabledGuard,
  findAccessChange,
  findAccessChangeForUpdate,
  findClientById,
  findClientByIdForUpdate,
  findClientForShare,
  findTokensEndedAt,
  findTokensEndedForUpdate,
  incrementTokenGenerationOfClient,
  isEnabledForUpdate,
  listClientsById,
  listClientsByName,
  listClientsWithAccessChange,
  listClientsWithEndedTokens,
  ownOrEnabled,
  selectClientsForUpdate,
  updateAccessChange,
  updateTokensEndedAt,
} from './store.ts'
export { ensurePairwiseKey, resealPairwiseKey, Subjects } from './subjects.ts'

/** Why a client that is not enabled is refused. */
export function disabledProblem({ approval }: Pick<ClientRow, 'approval'>): 'client_disabled' | 'client_not_approved' {
  return isApproved({ approval }) ? 'client_disabled' : 'client_not_approved'
}

/** A client as the issuer needs it. Caches drop it on the signal `client` with its id. */
export interface IssuerClient
  extends clients.Advanced,
    Pick<
      ClientRow,
      | 'secret_hash'
      | 'secret_last_used_at'
      | 'previous_secret_hash'
      | 'previous_secret_until'
      | 'first_sign_in_at'
      | 'sector_identifier'
      | 'approval'
      | 'token_generation'
    > {
  client_id: string
  developer_id: string
  name: string
  type: clients.ClientType
  enabled: boolean
  /** Consent is not asked: an app of the installation itself. */
  trusted: boolean
  /** Scopes that the client may request. */
  scopes: string[]
  /** Exact strings; the issuer lets the port of loopback addresses vary (RFC 8252 §7.3). */
  redirect_uris: string[]
  origins: string[]
  home_page_url: string | null
  privacy_policy_url: string | null
  terms_of_service_url: string | null
  icon: string | null
  /** For an unregistered client, the time until which its metadata document is fresh (decision 0031). */
  document_fresh_until: string | null
}

/** Returns what the issuer needs of a client; undefined when there is none or it is being deleted. */
export async function findIssuerClient(db: ReadDb, client_id: string): Promise<IssuerClient | undefined> {
  const [row, redirect_uris, origins] = await Promise.all([
    findClientById(db, client_id),
    listRedirectUris(db, { client_id }),
    listOrigins(db, { client_id }),
  ])
  if (!row) return undefined
  const document = row.developer_id === UNREGISTERED ? await findDocument(db, client_id) : undefined
  return {
    ...toAdvanced(row),
    client_id,
    developer_id: row.developer_id,
    name: row.name,
    type: row.type as clients.ClientType,
    enabled: fromFlag(row.enabled),
    approval: row.approval,
    token_generation: row.token_generation,
    trusted: fromFlag(row.trusted),
    scopes: fromJson<string[]>(row.scopes),
    secret_hash: row.secret_hash,
    secret_last_used_at: row.secret_last_used_at,
    previous_secret_hash: row.previous_secret_hash,
    previous_secret_until: row.previous_secret_until,
    first_sign_in_at: row.first_sign_in_at,
    sector_identifier: row.sector_identifier,
    redirect_uris,
    origins,
    home_page_url: row.home_page_url,
    privacy_policy_url: row.privacy_policy_url,
    terms_of_service_url: row.terms_of_service_url,
    icon: row.icon,
    document_fresh_until: document?.fresh_until ?? null,
  }
}

/** A client as users see it on the consent screen, with the settings that decide whether they may consent. */
export type PublicClient = {
  card: connections.ClientCard
  enabled: boolean
  approval: ClientRow['approval']
  trusted: boolean
  scopes: string[]
  initiate_login_uri: string | null
}

/** Returns what people see of clients, by `client_id`; without clients that do not exist or are being deleted. */
export async function listPublicClients(db: ReadDb, client_ids: readonly string[]): Promise<Map<string, PublicClient>> {
  const rows = await listClientsById(db, client_ids)
  const developers = await findDeveloperCards(db, [...new Set(rows.map(({ developer_id }) => developer_id))])
  return new Map(
    rows.flatMap((row): [string, PublicClient][] => {
      const developer = developers.get(row.developer_id)
      if (!developer) return []
      const client = {
        card: toClientCard(row, developer),
        enabled: fromFlag(row.enabled),
        approval: row.approval,
        trusted: fromFlag(row.trusted),
        scopes: fromJson<string[]>(row.scopes),
        initiate_login_uri: row.initiate_login_uri,
      }
      return [[row.client_id, client]]
    }),
  )
}

function toClientCard(row: ClientRow, developer: DeveloperCard): connections.ClientCard {
  const { client_id, name, icon, description, home_page_url, privacy_policy_url, terms_of_service_url } = row
  const verified = fromFlag(row.verified) || developer.verified
  const card = { client_id, name, icon, home_page_url, privacy_policy_url, terms_of_service_url, verified }
  if (row.developer_id !== UNREGISTERED) return { ...card, description, developer, claimed_name: null }
  // Its description is the name that it gives itself.
  return { ...card, description: null, developer: { ...developer, name }, claimed_name: description ?? name }
}

export async function findPublicClient(db: ReadDb, client_id: string): Promise<PublicClient | undefined> {
  return (await listPublicClients(db, [client_id])).get(client_id)
}

/** Implements `ClientCards`. */
export async function findClientCards(db: ReadDb, client_ids: string[]): Promise<ClientCard[]> {
  const rows = await listClientsById(db, client_ids)
  return rows.map(({ client_id, name, icon }) => ({ client_id, name, icon }))
}

/** Returns the enabled clients that have a back-channel logout URI (OpenID Connect Back-Channel Logout §2.2). */
export async function findBackchannelLogoutClients(db: ReadDb, client_ids: readonly string[]): Promise<Set<string>> {
  const rows = await listClientsById(db, client_ids)
  const listening = rows.filter((row) => row.backchannel_logout_uri !== null && fromFlag(row.enabled))
  return new Set(listening.map(({ client_id }) => client_id))
}

export type FrontchannelLogoutClient = Pick<
  IssuerClient,
  'client_id' | 'name' | 'frontchannel_logout_session_required'
> & { frontchannel_logout_uri: string }

/**
 * Returns the enabled clients that have a front-channel logout URI of the origin of one of their redirect URIs (OpenID
 * Connect Front-Channel Logout §2), in the order of `client_ids`.
 */
export async function listFrontchannelLogoutClients(
  db: ReadDb,
  client_ids: readonly string[],
): Promise<FrontchannelLogoutClient[]> {
  const rows = (await listClientsById(db, client_ids)).filter(
    (row) => row.frontchannel_logout_uri && fromFlag(row.enabled),
  )
  const found: FrontchannelLogoutClient[] = []
  for (const { client_id, name, frontchannel_logout_uri, frontchannel_logout_session_required: required } of rows) {
    const uri = frontchannel_logout_uri ?? ''
    // A redirect URI may have been removed since.
    if (!isOfRedirectOrigin(uri, await listRedirectUris(db, { client_id }))) continue
    found.push({
      client_id,
      name,
      frontchannel_logout_uri: uri,
      frontchannel_logout_session_required: fromFlag(required),
    })
  }
  return found.sort((a, b) => client_ids.indexOf(a.client_id) - client_ids.indexOf(b.client_id))
}
