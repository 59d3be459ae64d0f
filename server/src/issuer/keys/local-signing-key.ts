import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { ExternalSigningKey } from 'oidc-provider'
import type { Algorithm, SigningKey } from './signing-keys.ts'

/** Signs in a thread of libuv. */
const signInThread = promisify<string, Uint8Array, KeyObject, Buffer>(sign)

type KeyMaterial = Pick<SigningKey, 'kid' | 'alg' | 'jwk'>

/**
 * A signing key that signs with `node:crypto`: on the main thread where that is quick, in another thread with RSA. oidc-provider would sign with
 * Web Crypto, which takes another thread and several turns of the event loop (decision 0036).
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

  override sign(data: Uint8Array): Uint8Array | Promise<Uint8Array> {
    switch (this.#key.alg) {
      case 'ES256':
        // Node needs twice the time to sign with `ieee-p1363`.
        return fromDer(sign('sha256', data, this.#private))
      case 'RS256':
        return signInThread('sha256', data, this.#private)
      case 'EdDSA':
        return sign(null, data, this.#private)
    }
  }

  /** Signs claims as a JWS (RFC 7515 §7.1). `typ`: media type of the JWT (RFC 7519 §5.1); an ID token has none. */
  async signJwt(claims: object, typ?: string): Promise<string> {
    let header = this.#headers.get(typ)
    if (header === undefined) {
      header = encode({ alg: this.alg, typ, kid: this.kid })
      this.#headers.set(typ, header)
    }
    const input = `${header}.${encode(claims)}`
    return `${input}.${Buffer.from(await this.sign(Buffer.from(input))).toString('base64url')}`
  }
}

/** Bytes of each of the two integers of an ES256 signature. */
const INTEGER = 32

/** The integers of a signature one after the other (RFC 7518 §3.4), from a DER sequence (RFC 3279 §2.2.3) of less than 128 bytes. */
function fromDer(der: Buffer): Buffer {
  const signature = Buffer.allocUnsafe(2 * INTEGER).fill(0)
  // Each integer has a tag and a length; it has a leading zero byte when its first bit is set, and no others.
  let at = 2
  for (const end of [INTEGER, 2 * INTEGER]) {
    const first = at + 2
    at = first + der.readUInt8(at + 1)
    const bytes = der.subarray(Math.max(first, at - INTEGER), at)
    signature.set(bytes, end - bytes.length)
  }
  return signature
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
