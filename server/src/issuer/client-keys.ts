import type { clients } from '@vrata/contract'
import { type Outbound, OutboundRefused } from '../ports/outbound.ts'
import type { IssuerClient } from '../slices/clients/door.ts'

/** How long keys that an address gave are taken for true: a key that is gone from there is refused after this time. */
const FRESH = 60_000
/** How long, while the address does not answer, those that it gave last still count. */
const STALE = 3_600_000
/** An address that failed is left alone for this time, so that nobody can make us hammer it. */
const PATIENCE = 10_000
const KEPT_AT_MOST = 1000
/** More are no set of one app's keys. */
const KEYS_AT_MOST = 100

type Keys = clients.Advanced['jwks']
type Kept = { keys: Keys; read_at: number; next: number; reading: Promise<Keys> | undefined }

/** The public keys of apps: by value from our row, or from the app's own address (RFC 7517 §5; times in milliseconds). */
export class ClientKeys {
  readonly #outbound: Outbound
  readonly #kept = new Map<string, Kept>()

  constructor(outbound: Outbound) {
    this.#outbound = outbound
  }

  /** Null when the app has none, or when its address gives none. */
  async of({ jwks, jwks_uri }: Pick<IssuerClient, 'jwks' | 'jwks_uri'>): Promise<Keys> {
    return eitherName(jwks_uri ? await this.#at(jwks_uri) : jwks)
  }

  async #at(jwks_uri: string): Promise<Keys> {
    const kept = this.#kept.get(jwks_uri) ?? { keys: null, read_at: 0, next: 0, reading: undefined }
    this.#keep(jwks_uri, kept)
    if (performance.now() < kept.next) return kept.keys
    kept.reading ??= this.#renew(jwks_uri, kept).finally(() => {
      kept.reading = undefined
    })
    return await kept.reading
  }

  async #renew(uri: string, kept: Kept): Promise<Keys> {
    const now = performance.now()
    try {
      const answer = await this.#outbound.send(uri, {
        headers: { accept: 'application/jwk-set+json, application/json' },
      })
      kept.keys = keysIn(answer.status, answer.body)
      kept.read_at = now
      kept.next = now + FRESH
    } catch {
      kept.next = now + PATIENCE
      if (now - kept.read_at > STALE) kept.keys = null
    }
    return kept.keys
  }

  #keep(uri: string, kept: Kept): void {
    this.#kept.delete(uri)
    this.#kept.set(uri, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_AT_MOST && oldest !== undefined) this.#kept.delete(oldest)
  }
}

function keysIn(status: number, body: Buffer): Keys {
  if (status !== 200) throw new OutboundRefused(`the keys were answered with ${status}`)
  const { keys } = JSON.parse(body.toString('utf8')) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length > KEYS_AT_MOST || !keys.every(isObject)) {
    throw new OutboundRefused('no set of keys')
  }
  return { keys } as unknown as Keys
}

/** The algorithm of an Ed25519 key has two names (RFC 9864 §2); libraries sign with one and register the other. */
function eitherName(jwks: Keys): Keys {
  if (!jwks?.keys.some(({ kty }) => kty === 'OKP')) return jwks
  return { keys: jwks.keys.map((key) => (key.kty === 'OKP' ? { ...key, alg: undefined } : key)) }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
