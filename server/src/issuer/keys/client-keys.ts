import type { clients } from '@vrata/contract'
import { LRUCache } from 'lru-cache'
import { type Outbound, OutboundRefused } from '../../adapters/outbound-http.ts'
import type { IssuerClient } from '../../features/clients/public.ts'

// Milliseconds (decision 0028).
/** For how long fetched keys are valid; a withdrawn key is rejected after this time. */
const MAX_AGE = 60_000
/** For how long the last keys are valid while the address does not answer. */
const MAX_AGE_ON_ERROR = 3_600_000
/** Pause after a request that failed, or whose answer lacks a key with which the client signs. Tests change it. */
export const FETCH_AGAIN = { milliseconds: 10_000 }
const MAX_ENTRIES = 1000
const MAX_KEYS = 100

type Keys = clients.Advanced['jwks']
/** `again`: when keys that lack one may be fetched. Like `next`, `performance.now()`. */
type Entry = { keys: Keys; read_at: number; next: number; again: number; reading: Promise<Keys> | undefined }

/** Required keys: ids of the keys with which the client has signed, and its certificate (DER in base64). */
export type PresentedKeys = { kids: readonly string[]; certificate?: string | undefined }

/** Public keys of clients: by value (`jwks`), or fetched from `jwks_uri` (RFC 7517 §5, decision 0028). */
export class ClientKeys {
  readonly #outbound: Outbound
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES })

  constructor(outbound: Outbound) {
    this.#outbound = outbound
  }

  /**
   * Null when the client has no keys, or its address returns none. Keys without a presented one are fetched again, because a client may use a key as
   * soon as it has published it (OpenID Connect Core §10.1.1).
   */
  async of({ jwks, jwks_uri }: Pick<IssuerClient, 'jwks' | 'jwks_uri'>, presented: PresentedKeys): Promise<Keys> {
    return withoutEdDsaName(jwks_uri ? await this.#fetched(jwks_uri, presented) : jwks)
  }

  async #fetched(jwks_uri: string, { kids, certificate }: PresentedKeys): Promise<Keys> {
    const entry = this.#entries.get(jwks_uri) ?? { keys: null, read_at: 0, next: 0, again: 0, reading: undefined }
    this.#entries.set(jwks_uri, entry)
    const keys = entry.keys?.keys ?? []
    // A key without an id may be any.
    const isComplete =
      kids.every((id) => keys.some(({ kid = id }) => kid === id)) &&
      (certificate === undefined || keys.some((key) => (key.x5c as string[] | undefined)?.[0] === certificate))
    if (performance.now() < (isComplete ? entry.next : entry.again)) return entry.keys
    entry.reading ??= this.#fetch(jwks_uri, entry).finally(() => {
      entry.reading = undefined
    })
    return await entry.reading
  }

  async #fetch(uri: string, entry: Entry): Promise<Keys> {
    const now = performance.now()
    entry.again = now + FETCH_AGAIN.milliseconds
    try {
      const response = await this.#outbound.send(uri, {
        headers: { accept: 'application/jwk-set+json, application/json' },
      })
      entry.keys = parseKeys(response.status, response.body)
      entry.read_at = now
      entry.next = now + MAX_AGE
    } catch {
      entry.next = Math.max(entry.next, entry.again)
      if (now - entry.read_at > MAX_AGE_ON_ERROR) entry.keys = null
    }
    return entry.keys
  }
}

function parseKeys(status: number, body: Buffer): Keys {
  if (status !== 200) throw new OutboundRefused(`jwks_uri answered ${status}`)
  const { keys } = JSON.parse(body.toString('utf8')) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length > MAX_KEYS || !keys.every(isKey)) {
    throw new OutboundRefused('jwks_uri answered no JWK Set')
  }
  return { keys } as unknown as Keys
}

/** Removes `alg` of Ed25519 keys: it has two names, and libraries sign with one and register the other (RFC 9864 §2). */
function withoutEdDsaName(jwks: Keys): Keys {
  if (!jwks?.keys.some(({ kty }) => kty === 'OKP')) return jwks
  return { keys: jwks.keys.map((key) => (key.kty === 'OKP' ? { ...key, alg: undefined } : key)) }
}

/** `x5c` is a list of texts (RFC 7517 §4.7); the certificates themselves are compared, not read. */
function isKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { x5c } = value as { x5c?: unknown }
  return x5c === undefined || (Array.isArray(x5c) && x5c.every((one) => typeof one === 'string'))
}
