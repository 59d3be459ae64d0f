import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'

/** Length of a step of time-based codes, in milliseconds (RFC 6238 §5.2). */
const STEP = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * An authenticator app, as people have it on the phone. It shows each code once: the server takes none twice, so for
 * another one within half a minute it is a step ahead, which the server allows a phone whose clock is fast.
 */
export function authenticatorApp(secret: string) {
  const key = bytesOf(secret)
  let last = 0
  return {
    code(): string {
      last = Math.max(Math.floor(Date.now() / STEP), last + 1)
      return codeAt(key, last)
    },
  }
}

/** RFC 4226 §5.3, over the number of the step. */
function codeAt(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1e6).padStart(6, '0')
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret.replace(/\s/g, '')]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A device with a screen lock that keeps passkeys, plugged into this tab (WebDriver's virtual authenticators, by CDP). */
export async function deviceWithLock(page: Page) {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
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
    /** Whether the person puts the finger where it belongs. */
    verifies: (isUserVerified: boolean) => device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    passkeys: async () => (await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
