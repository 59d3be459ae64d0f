import { z } from 'zod'

/**
 * JSON forms of WebAuthn objects (WebAuthn Level 3, §5.1): `toJSON()` of a credential, and the input of
 * `parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()`. Bytes are base64url.
 */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'invalid')

/** WebAuthn §5.8.4; browsers may return values that are not listed there. */
const transports = z.array(z.string().max(40)).max(10)

const credential = {
  /** Credential ids have at most 1023 bytes (WebAuthn §4). */
  id: bytes(1364),
  rawId: bytes(1364),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string().max(40), z.unknown()).optional(),
}

/** A new passkey: `PublicKeyCredential.toJSON()` of `navigator.credentials.create()`. */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: transports.optional(),
  }),
})
export type NewPasskey = z.output<typeof newPasskey>

/** An assertion: `PublicKeyCredential.toJSON()` of `navigator.credentials.get()`. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(4096),
    signature: bytes(4096),
    userHandle: bytes(100).nullish(),
  }),
})
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

const descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: transports.optional() })
const verification = z.enum(['required', 'preferred', 'discouraged'])

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: verification,
    requireResidentKey: z.boolean(),
    userVerification: verification,
  }),
  attestation: z.literal('none'),
})

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. An empty `allowCredentials` admits any discoverable credential. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  allowCredentials: z.array(descriptor),
  userVerification: verification,
})
