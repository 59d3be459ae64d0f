import { clientId } from '@vrata/contract/fields'
import { type Outbound, OutboundRefused } from '../../adapters/outbound-http.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import {
  countDocuments,
  countUnconnectedDocuments,
  findIssuerClient,
  type IssuerClient,
  makeRoomForDocuments,
  storeMetadataDocument,
} from '../../features/clients/public.ts'
import type { DocumentLimits } from '../../http/guards/rate-limit.ts'
import type { ClientCache } from '../provider/clients/client-cache.ts'
import { DocumentReader } from './document-reader.ts'
import { DocumentRejected } from './document-rejected.ts'

/** Maximum number of documents without a connection in the installation, and of simultaneous requests for documents. */
const MOST = { documents: 10_000, requests: 20 }
/** Documents that make room at a time. */
const ROOM = 100
/** Seconds for which the last document is used while its host does not answer, or answers that it cannot. */
const GRACE = 3600

type Options = { clients: ClientCache; outbound: Outbound; limits: DocumentLimits }

/** Clients that are identified by the address of their metadata document (decision 0031). */
export class MetadataDocuments {
  readonly #deps: AppDeps
  readonly #clients: ClientCache
  readonly #limits: DocumentLimits
  readonly #reader: DocumentReader
  readonly #requests = new Map<string, Promise<IssuerClient>>()
  /** Requests that have ended since the start. */
  #ended = 0

  constructor(deps: AppDeps, { clients, outbound, limits }: Options) {
    this.#deps = deps
    this.#clients = clients
    this.#limits = limits
    this.#reader = new DocumentReader(outbound)
  }

  /** Whether a client id is the address of a document, and not the id of a registered client. */
  static isAddress(client_id: string): boolean {
    return /^https:\/\//i.test(client_id)
  }

  /**
   * The client, after requesting its document where that is due. `ip`: who asks; without it, a document that is not stored is
   * not requested. Throws `DocumentRejected` when the document is invalid, or cannot be had.
   */
  async find(client_id: string, ip: string | undefined): Promise<IssuerClient | undefined> {
    if (!this.#deps.config.client_id_metadata || !clientId.safeParse(client_id).success) return undefined
    let known: IssuerClient | undefined
    let ended: number
    do {
      ended = this.#ended
      known = await this.#clients.find(client_id)
      if (known?.document_fresh_until && known.document_fresh_until > toTime(this.#deps.clock.now())) return known
      // A request that has ended meanwhile may have stored the document after the client was read.
    } while (ended !== this.#ended)
    if (!known && ip === undefined) return undefined
    const other = this.#requests.get(client_id)
    if (other) return await other
    const request = this.#request(client_id, known, ip).finally(() => {
      this.#ended += 1
      this.#requests.delete(client_id)
    })
    this.#requests.set(client_id, request)
    return await request
  }

  async #request(client_id: string, known: IssuerClient | undefined, ip: string | undefined): Promise<IssuerClient> {
    try {
      await this.#assertAllowed(client_id, known, ip)
      const requested_at = this.#deps.clock.now()
      const { document, fresh_for } = await this.#reader.read(client_id)
      const fresh_until = timeAfter(this.#deps.clock.now(), fresh_for)
      await this.#deps.transaction((deps) => storeMetadataDocument(deps, document, { requested_at, fresh_until }))
      const stored = await findIssuerClient(this.#deps.db, client_id)
      if (!stored) throw new DocumentRejected('it was deleted meanwhile')
      return stored
    } catch (error) {
      if (error instanceof DocumentRejected && !(error instanceof TooManyDocuments)) throw error
      if (known && this.#isInGrace(known)) return known
      const unreachable = error instanceof OutboundRefused || isNetworkError(error)
      throw unreachable ? new DocumentRejected('the address cannot be reached') : error
    }
  }

  /** Prevents filling tables, and using this server to send requests to others. */
  async #assertAllowed(client_id: string, known: IssuerClient | undefined, ip: string | undefined): Promise<void> {
    const { host } = new URL(client_id)
    const allowed =
      this.#requests.size < MOST.requests &&
      (known || !ip || this.#limits.newDocument(ip)) &&
      // A known document has a limit of its own, so that requests for others of its host cannot keep it from being renewed.
      this.#limits.target(known ? client_id : host) &&
      (known || (await this.#hasRoom()))
    if (!allowed) throw new TooManyDocuments('too many documents are requested')
  }

  /**
   * Documents without a connection are deleted first, so that requests alone do not exclude other programs. Connected ones are limited for each person and not counted,
   * so that a few dozen accounts cannot exclude other programs either.
   */
  async #hasRoom(): Promise<boolean> {
    const hasRoom = async () => (await countDocuments(this.#deps.db)) < MOST.documents
    if (await hasRoom()) return true
    await this.#deps.transaction((deps) => makeRoomForDocuments(deps, ROOM))
    return (await hasRoom()) || (await countUnconnectedDocuments(this.#deps.db)) < MOST.documents
  }

  #isInGrace({ document_fresh_until }: IssuerClient): boolean {
    return (document_fresh_until ?? '') > timeAfter(this.#deps.clock.now(), -GRACE)
  }
}

class TooManyDocuments extends DocumentRejected {}

/** Errors of name resolution, connections, TLS and timeouts. */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.name === 'TimeoutError')
}
