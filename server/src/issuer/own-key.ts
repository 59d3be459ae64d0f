import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import type { Algorithm, SigningKey } from './keys.ts'

/**
 * Our signing key for the engine, which by itself would sign through Web Crypto: that takes a thread and several turns of
 * the event loop for what OpenSSL does in an instant, a third of the time (decision 0160).
 */
export class OwnKey extends ExternalSigningKey {
  readonly #key: SigningKey
  readonly #private: KeyObject
  readonly #public: KeyObject

  constructor(key: SigningKey) {
    super()
    this.#key = key
    this.#private = createPrivateKey({ key: key.jwk as never, format: 'jwk' })
    this.#public = createPublicKey(this.#private)
  }

  override get kid(): string {
    return this.#key.kid
  }

  override get alg(): Algorithm {
    return this.#key.alg
  }

  override keyObject(): KeyObject {
    return this.#public
  }

  override sign(data: Uint8Array): Uint8Array {
    switch (this.#key.alg) {
      case 'ES256':
        return joined(sign('sha256', data, this.#private))
      case 'RS256':
        return sign('sha256', data, this.#private)
      case 'EdDSA':
        return sign(null, data, this.#private)
    }
  }
}

/** Bytes of each of the two numbers of an ES256 signature. */
const SIZE = 32

/**
 * The two numbers of an ECDSA signature side by side, as JWS wants them (RFC 7518 §3.4), out of the DER that OpenSSL makes
 * (RFC 3279 §2.2.3); to ask Node for that form costs more than twice the signature.
 */
export function joined(der: Uint8Array): Uint8Array {
  const out = new Uint8Array(2 * SIZE)
  let at = 2
  for (const end of [SIZE, 2 * SIZE]) {
    const length = der[at + 1] ?? 0
    const start = at + 2
    at = start + length
    // A number whose first bit is set is led by a zero; a small one is shorter.
    const digits = der.subarray(Math.max(start, at - SIZE), at)
    out.set(digits, end - digits.length)
  }
  return out
}
