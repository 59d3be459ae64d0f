import { type clients, type FieldCode, problem } from '@vrata/contract'
import { outbound } from '../../../adapters/outbound-http.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import { isLoopbackUrl } from '../../../lib/loopback.ts'
import type { ClientRow } from '../store.ts'

/** The list of redirect URIs at a `sector_identifier_uri` (OpenID Connect Dynamic Client Registration §5). */
export interface SectorDocument {
  uri: string
  /** Undefined when the address answers no list. */
  redirect_uris: string[] | undefined
}

/** Thrown when the list is needed; `withSectorDocument` fetches it and repeats the rule. */
class SectorDocumentNeeded extends Error {
  override name = 'SectorDocumentNeeded'
  readonly uri: string

  constructor(uri: string) {
    super('the list at the sector_identifier_uri is needed')
    this.uri = uri
  }
}

/** Lists that one call fetches at most. */
const MOST_FETCHED = 3

/**
 * Runs a rule in a transaction. If it needs the list of a `sector_identifier_uri`, the transaction is undone, the list is
 * fetched, and the rule runs again with it: no transaction waits for the server of an app.
 */
export async function withSectorDocument<T>(
  open: Pick<AppDeps, 'transaction' | 'config'>,
  rule: (deps: TransactionDeps, document?: SectorDocument) => Promise<T>,
): Promise<T> {
  let document: SectorDocument | undefined
  for (let fetched = 0; ; fetched += 1) {
    try {
      return await open.transaction((deps) => rule(deps, document))
    } catch (error) {
      if (!(error instanceof SectorDocumentNeeded)) throw error
      // Again when the address was changed while the list of the former one was fetched.
      if (fetched === MOST_FETCHED) throw problem('unavailable', { retry_after: 1 })
      document = await fetchSectorDocument(open, error.uri)
    }
  }
}

/** With the limits and address rules of `jwks_uri`. */
async function fetchSectorDocument({ config }: Pick<AppDeps, 'config'>, uri: string): Promise<SectorDocument> {
  const out = outbound({ loopback: isLoopbackUrl(config.url) })
  try {
    const { status, body } = await out.send(uri, { headers: { accept: 'application/json' } })
    const list: unknown = status === 200 ? JSON.parse(body.toString('utf8')) : undefined
    const isList = Array.isArray(list) && list.every((one) => typeof one === 'string')
    return { uri, redirect_uris: isList ? list : undefined }
  } catch {
    return { uri, redirect_uris: undefined }
  }
}

export type SectorSettings = {
  subject_type: clients.SubjectType
  sector_identifier_uri: string | null
  /** All that the client is about to have. */
  redirect_uris: readonly string[]
}

/**
 * The sector of a client: the host of its `sector_identifier_uri`, or of all its redirect URIs (OpenID Connect Core §8.1);
 * null for public subjects. Throws `invalid_request` when the redirect URIs do not belong to one sector.
 */
export function sectorOf(
  { subject_type, sector_identifier_uri: uri, redirect_uris }: SectorSettings,
  document: SectorDocument | undefined,
): string | null {
  if (uri !== null) validateListed(redirect_uris, { uri, document, field: 'sector_identifier_uri' })
  if (subject_type === 'public') return null
  if (uri !== null) return new URL(uri).host
  const [host, ...others] = new Set(redirect_uris.map((one) => new URL(one).host))
  if (!host || others.length > 0) throw refused('sector_identifier_uri', 'sector_required')
  return host
}

/** A new redirect URI belongs to the sector of its client. Throws `invalid_request` otherwise. */
export function validateSectorOfRedirectUri(
  redirect_uri: string,
  { sector_identifier, sector_identifier_uri: uri }: Pick<ClientRow, 'sector_identifier' | 'sector_identifier_uri'>,
  document: SectorDocument | undefined,
): void {
  if (uri !== null) validateListed([redirect_uri], { uri, document, field: 'redirect_uri' })
  else if (sector_identifier !== null && new URL(redirect_uri).host !== sector_identifier)
    throw refused('redirect_uri', 'other_sector')
}

/** The list at the `sector_identifier_uri` contains the redirect URIs (OpenID Connect Dynamic Client Registration §5). */
function validateListed(
  redirect_uris: readonly string[],
  { uri, document, field }: { uri: string; document: SectorDocument | undefined; field: string },
): void {
  if (document?.uri !== uri) throw new SectorDocumentNeeded(uri)
  const listed = document.redirect_uris
  if (!listed) throw refused(field, 'sector_unreadable')
  if (!redirect_uris.every((one) => listed.includes(one))) throw refused(field, 'not_listed')
}

function refused(field: string, code: FieldCode) {
  return problem('invalid_request', { fields: { [field]: code } })
}
