import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/**
 * Cryptography with `VRATA_SECRET`. Each purpose has its own key (HKDF, RFC 5869). While the secret is being replaced,
 * values of the other one are accepted.
 */
export interface Encryption {
  /** 256-bit keys of one purpose, that of the current secret first. */
  keys(purpose: string): Buffer[]
  /** Derives a token from another one with a key (HMAC); base64url. */
  derive(purpose: string, input: string): string
  /** `derive` with each of the `keys`. */
  deriveEach(purpose: string, input: string): string[]
  /** Encrypts for storage (AES-256-GCM); decryption needs the same `context`. */
  encrypt(plain: string, context: string): string
  decrypt(sealed: string, context: string): string
  /** Encrypts again with the current secret; undefined when the value is encrypted with it already. */
  reseal(sealed: string, context: string): string | undefined
}

/** @param others further accepted secrets, read when a value does not belong to the current one */
export function createEncryption(secret: string, others: () => readonly string[] = () => []): Encryption {
  const current = keyRing(secret)
  const rings = new Map<string, KeyRing>()
  const otherRings = () =>
    others().map((other) => {
      const known = rings.get(other)
      if (known) return known
      const made = keyRing(other)
      rings.set(other, made)
      return made
    })
  const encryption: Encryption = {
    keys: (purpose) => [current, ...otherRings()].map((key) => key(purpose).export()),
    derive: (purpose, input) => hmac(current(purpose), input),
    deriveEach: (purpose, input) => [current, ...otherRings()].map((key) => hmac(key(purpose), input)),
    encrypt(plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current('sealing'), nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(sealed, context) {
      try {
        return decryptWith(current('sealing'), sealed, context)
      } catch (error) {
        for (const key of otherRings()) {
          try {
            return decryptWith(key('sealing'), sealed, context)
          } catch {
            // Encrypted with another secret.
          }
        }
        throw error
      }
    },
    reseal(sealed, context) {
      try {
        decryptWith(current('sealing'), sealed, context)
        return undefined
      } catch {
        return encryption.encrypt(encryption.decrypt(sealed, context), context)
      }
    },
  }
  return encryption
}

/** HMAC with SHA-256; base64url. Node makes a key object of a buffer at each call, which takes five times as long as the rest. */
export function hmac(key: Buffer | KeyObject, input: string): string {
  return createHmac('sha256', key).update(input).digest('base64url')
}

type KeyRing = (purpose: string) => KeyObject

function keyRing(secret: string): KeyRing {
  const keys = new Map<string, KeyObject>()
  return (purpose) => {
    const known = keys.get(purpose)
    if (known) return known
    const made = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'vrata', purpose, 32)))
    keys.set(purpose, made)
    return made
  }
}

function decryptWith(key: KeyObject, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  // Node.js would take the first bytes of a tag for all of it.
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  cipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
}
