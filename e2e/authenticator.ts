import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'

/** Time step of one-time codes, in milliseconds (RFC 6238 §5.2). */
const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * Time-based one-time passwords (RFC 6238) for a Base32 secret. Returns each code once, because the server rejects a used
 * one: a second code within a time step is that of the next step, which the server accepts for clock drift.
 */
export function authenticatorApp(secret: string) {
  const key = decodeBase32(secret)
  let lastStep = 0
  return {
    code(): string {
      lastStep = Math.max(Math.floor(Date.now() / STEP_MS), lastStep + 1)
      return codeAt(key, lastStep)
    },
  }
}

/** HOTP value with the number of the time step as its counter (RFC 4226 §5.3). */
function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1e6).padStart(6, '0')
}

/** Decodes Base32 without padding (RFC 4648 §6). */
function decodeBase32(secret: string): Buffer {
  const bits = [...secret.replace(/\s/g, '')]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Adds a platform authenticator with user verification to this tab (Chrome DevTools Protocol, WebAuthn domain). */
export async function virtualAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Sets whether user verification succeeds. */
    setUserVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    passkeyCount: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
