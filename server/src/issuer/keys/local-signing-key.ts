import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import type { Algorithm, SigningKey } from './signing-keys.ts'

type KeyMaterial = Pick<SigningKey, 'kid' | 'alg' | 'jwk'>

/**
 * A signing key that signs on the main thread. oidc-provider would sign with Web Crypto, which takes another thread and
 * several turns of the event loop (decision 0036).
 */
export class LocalSigningKey extends ExternalSigningKey {
  readonly #key: KeyMaterial
  readonly #private: KeyObject
  readonly #public: KeyObject
  /** Encoded headers by `typ`. */
  readonly #headers = new Map<string | undefined, string>()

  constructor(key: KeyMaterial) {
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
        // The form of JWS (RFC 7518 §3.4) instead of DER.
        return sign('sha256', data, { key: this.#private, dsaEncoding: 'ieee-p1363' })
      case 'RS256':
        return sign('sha256', data, this.#private)
      case 'EdDSA':
        return sign(null, data, this.#private)
    }
  }

  /** Signs claims as a JWS (RFC 7515 §7.1). `typ`: media type of the JWT (RFC 7519 §5.1); an ID token has none. */
  signJwt(claims: object, typ?: string): string {
    let header = this.#headers.get(typ)
    if (header === undefined) {
      header = encode({ alg: this.alg, typ, kid: this.kid })
      this.#headers.set(typ, header)
    }
    const input = `${header}.${encode(claims)}`
    return `${input}.${Buffer.from(this.sign(Buffer.from(input))).toString('base64url')}`
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
