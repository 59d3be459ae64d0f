import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { CommandError } from '../commands/command-error.ts'
import type { SealedSecrets } from './format.ts'

/** OWASP Password Storage Cheat Sheet: N = 2^17, r = 8, p = 1, which takes 128 MiB. */
const COST = { n: 1 << 17, r: 8, p: 1 }
const CONTEXT = Buffer.from('vrata backup secrets')

/** Encrypts the secrets of an installation, the current one first, with a passphrase. */
export function sealSecrets(secrets: readonly string[], passphrase: string): SealedSecrets {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt, COST), nonce).setAAD(CONTEXT)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final(), cipher.getAuthTag()])
  return {
    kdf: 'scrypt',
    ...COST,
    salt: salt.toString('base64url'),
    nonce: nonce.toString('base64url'),
    sealed: sealed.toString('base64url'),
  }
}

/** Throws `CommandError` when the passphrase is another one or the value is damaged. */
export function openSecrets({ sealed, salt, nonce, ...cost }: SealedSecrets, passphrase: string): string[] {
  const bytes = Buffer.from(sealed, 'base64url')
  const key = keyOf(passphrase, Buffer.from(salt, 'base64url'), cost)
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
    cipher.setAAD(CONTEXT).setAuthTag(bytes.subarray(-16))
    const plain = Buffer.concat([cipher.update(bytes.subarray(0, -16)), cipher.final()])
    return JSON.parse(plain.toString('utf8')) as string[]
  } catch (cause) {
    throw new CommandError('The passphrase does not open the secrets of this backup.', { cause })
  }
}

function keyOf(passphrase: string, salt: Buffer, { n, r, p }: { n: number; r: number; p: number }): Buffer {
  // The limit is what these parameters need, and some space for OpenSSL.
  return scryptSync(passphrase.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 128 * n * r * p + (32 << 20) })
}
