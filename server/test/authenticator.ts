import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyAssertion } from '@vrata/contract'

/** Values that a manipulated browser or authenticator sends instead of the correct ones. */
export interface Overrides {
  origin?: string
  rp_id?: string
  challenge?: string
  /** Without user verification. */
  unverified?: boolean
  counter?: number
  user_handle?: string | null
  /** Replaces the signature. */
  signature?: Buffer
}

interface Options {
  origin?: string
  /** A synced passkey: its counter is always 0. */
  synced?: boolean
}

/** An authenticator with one passkey (WebAuthn §6): an ES256 key, and a counter that increases with every use. */
export function authenticator({ origin = 'http://localhost:3000', synced = false }: Options = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const credential_id = randomBytes(32)
  let counter = 0
  let handle: string | undefined

  const clientData = (type: string, challenge: string, overrides: Overrides) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: overrides.challenge ?? challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authData = (rp_id: string, overrides: Overrides, more: Buffer = Buffer.alloc(0)) => {
    const backup = synced ? 0x18 : 0
    const flags = 0x01 | (overrides.unverified ? 0 : 0x04) | backup | (more.length ? 0x40 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(overrides.counter ?? (synced ? 0 : ++counter), 1)
    return Buffer.concat([sha256(Buffer.from(overrides.rp_id ?? rp_id)), head, more])
  }

  return {
    id: text(credential_id),
    /** `navigator.credentials.create()`. */
    create(
      options: { challenge: string; rp: { id: string }; user: { id: string } },
      overrides: Overrides = {},
    ): NewPasskey {
      handle = options.user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credential_id.length)
      const data = Buffer.concat([Buffer.alloc(16), length, credential_id, coseKey(jwk)])
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData(options.rp.id, overrides, data))],
      ])
      return {
        id: text(credential_id),
        rawId: text(credential_id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', options.challenge, overrides)),
          attestationObject: text(attestation),
          transports: ['internal'],
        },
      }
    },
    /** `navigator.credentials.get()`. */
    get(options: { challenge: string; rpId: string }, overrides: Overrides = {}): PasskeyAssertion {
      const client = clientData('webauthn.get', options.challenge, overrides)
      const data = authData(options.rpId, overrides)
      const signature = overrides.signature ?? sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const userHandle = overrides.user_handle === undefined ? handle : overrides.user_handle
      return {
        id: text(credential_id),
        rawId: text(credential_id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(signature),
          ...(userHandle ? { userHandle } : {}),
        },
      }
    },
  }
}

const text = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** EC2 key of COSE (RFC 9053 §7.1). */
function coseKey({ x, y }: { x: string; y: string }): Buffer {
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

/** The part of CBOR (RFC 8949) that authenticators use. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (value: string) => Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
const cborMap = (pairs: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])
