import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Everything that hangs on the server's one secret. Each purpose has a key of its own (HKDF, RFC 5869). */
export interface Sealing {
  /** 256-bit key for one purpose. */
  key(purpose: string): Buffer
  /** Keyed derivation of a token from another one; base64url. */
  derive(purpose: string, input: string): string
  /** Encrypts for storage (AES-256-GCM); `context` must be the same when opening. */
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string
}

export function sealing(secret: string): Sealing {
  const keys = new Map<string, Buffer>()
  const key = (purpose: string): Buffer => {
    const known = keys.get(purpose)
    if (known) return known
    const made = Buffer.from(hkdfSync('sha256', secret, 'vrata', purpose, 32))
    keys.set(purpose, made)
    return made
  }
  return {
    key,
    derive: (purpose, input) => createHmac('sha256', key(purpose)).update(input).digest('base64url'),
    seal(plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key('sealing'), nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64url')
      const cipher = createDecipheriv('aes-256-gcm', key('sealing'), bytes.subarray(0, 12))
      cipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
    },
  }
}
