import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { LIFETIMES, type NewPasskey, type PasskeyAssertion } from '@vrata/contract'
import { newToken } from '../lib/ids.ts'

/** Loaded with the first passkey: the library brings X.509 and CBOR, half a megabyte of code. */
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** The relying party: the host of the public URL, without parent domains (WebAuthn §13.4.9). */
export interface RelyingParty {
  id: string
  origin: string
}

/** The relying party of an address: its host name and its origin (Web Authentication §5.4.2). */
export function relyingParty(url: string): RelyingParty {
  const { hostname, origin } = new URL(url)
  return { id: hostname, origin }
}

/** A stored passkey, as described to the browser. */
export interface Known {
  credential_id: string
  transports: string[]
}

const TIMEOUT = LIFETIMES.passkey_challenge * 1000

/** Options for creating a discoverable passkey with user verification. `party.name` is shown by authenticators. */
export function creationOptions(
  party: RelyingParty & { name: string },
  user: { id: string; name: string; display_name: string },
  known: Known[],
) {
  return {
    rp: { id: party.id, name: party.name },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.name, displayName: user.display_name },
    challenge: newToken(),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT,
    excludeCredentials: known.map(described),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  }
}

/** EdDSA, ES256, RS256 (IANA COSE algorithms). */
const ALGORITHMS = [-8, -7, -257]

/** Options for an assertion with one of these passkeys, or with any discoverable one when none is given. */
export function requestOptions(party: RelyingParty, known: Known[] = []) {
  return {
    challenge: newToken(),
    rpId: party.id,
    timeout: TIMEOUT,
    allowCredentials: known.map(described),
    userVerification: 'required' as const,
  }
}

function described({ credential_id, transports }: Known) {
  return { id: credential_id, type: 'public-key' as const, transports }
}

/** The challenge in the client data; the caller checks that it was issued. */
export function challengeOf({ response }: NewPasskey | PasskeyAssertion): string | undefined {
  return attempt(() => {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
    return data && typeof data === 'object' && 'challenge' in data ? String(data.challenge) : undefined
  })
}

/** `rejection` is the reason, for the log. */
type Verified<T> = { rejection: string } | { rejection?: undefined; key: T }

export interface NewKey extends Known {
  public_key: string
  counter: number
  aaguid: string
  synced: boolean
  backed_up: boolean
}

/** Verifies a registration (WebAuthn §7.1): challenge, origin, relying party and user verification. */
export async function verifyNew(
  party: RelyingParty,
  challenge: string,
  response: NewPasskey,
): Promise<Verified<NewKey>> {
  return await judged(async () => {
    await rejectCertificates(response)
    const { verifyRegistrationResponse } = await library()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw new Error('the signature is not right')
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
    return {
      credential_id: credential.id,
      transports: response.response.transports ?? [],
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      aaguid,
      synced: credentialDeviceType === 'multiDevice',
      backed_up: credentialBackedUp,
    }
  })
}

/** Attestation is not requested; verifying an unrequested one could cause network requests. */
async function rejectCertificates({ response }: NewPasskey): Promise<void> {
  const { decodeAttestationObject } = await helpers()
  const attestation = decodeAttestationObject(bytesOf(response.attestationObject))
  const format = attestation.get('fmt')
  if (format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)) return
  throw new Error('it brings an attestation that nobody asked for')
}

/** Verifies an assertion (WebAuthn §7.2) except for the counter, which the caller compares with the stored one. */
export async function verifyProof(
  party: RelyingParty,
  challenge: string,
  response: PasskeyAssertion,
  key: Pick<NewKey, 'credential_id' | 'public_key' | 'synced'>,
): Promise<Verified<{ counter: number; backed_up: boolean }>> {
  return await judged(async () => {
    const { userHandle, ...signed } = response.response
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...response,
        authenticatorAttachment: undefined,
        clientExtensionResults: {},
        response: userHandle ? { ...signed, userHandle } : signed,
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: key.credential_id, publicKey: bytesOf(key.public_key), counter: 0 },
      requireUserVerification: true,
    })
    if (!verified) throw new Error('the signature is not right')
    // Backup eligibility never changes (WebAuthn §6.1.3).
    if ((authenticationInfo.credentialDeviceType === 'multiDevice') !== key.synced) {
      throw new Error('it is not backed up as it was')
    }
    return { counter: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp }
  })
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, 'base64url'))
}

/** The library throws for any invalid response. */
async function judged<T>(verify: () => Promise<T>): Promise<Verified<T>> {
  try {
    return { key: await verify() }
  } catch (error) {
    return { rejection: (error as Error).message }
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The user handle that the authenticator stored with the passkey. */
export function userHandleOf({ response }: PasskeyAssertion): string | undefined {
  return response.userHandle ? Buffer.from(response.userHandle, 'base64url').toString('utf8') : undefined
}
