import type { Encryption } from '../../lib/encryption.ts'

/**
 * Grants are virtual: the id names a connection and a session and is never stored. Revoking a grant therefore ends what
 * one client was given in one session; the consent and other devices stay (protocol §3.2).
 */
export function grantIdOf(connection_id: string, session_id: string): string {
  return `${connection_id}.${session_id}`
}

/** The ids in a grant id; empty where there is none. */
export function parseGrantId(grant_id: string): { connection_id: string; session_id: string } {
  const [connection_id = '', session_id = ''] = grant_id.split('.')
  return { connection_id, session_id }
}

const CONTEXT = 'access_token/grant'

/** Generations that end JWT access tokens, which have no rows: each changes when all earlier tokens have ended. */
export interface TokenGenerations {
  /** Generation of the user; 0 in a token of a service. */
  user: number
  /** Generation of the client of the token. */
  client: number
  /** Generation of the client that the user has allowed; in a token of a service that of the client itself. */
  allowed_client: number
  /** Generation of the grant (grant-store.ts); empty until its tokens end for the first time, and in a token of a service. */
  grant: string
}

/** The `grant` claim of a JWT access token: encrypted, so that resource servers do not learn the ids. */
export function encryptGrant(
  encryption: Pick<Encryption, 'encrypt'>,
  { user, client, allowed_client, grant }: TokenGenerations,
  { grant_id, user_id }: { grant_id: string; user_id: string } = { grant_id: '.', user_id: '' },
): string {
  return encryption.encrypt(`${grant_id}.${user}.${user_id}.${client}.${allowed_client}.${grant}`, CONTEXT)
}

/** Contents of the `grant` claim. */
export interface DecryptedGrant {
  connection_id: string
  session_id: string
  generations: TokenGenerations
  user_id: string | undefined
}

/**
 * Decrypts the `grant` claim; its ids are empty without one. Tokens of earlier releases have no `user_id` and no generations of clients and
 * grant; their `sub` is the user. Undefined when the secret has been replaced since then (decision 0036).
 */
export function decryptGrant(encryption: Pick<Encryption, 'decrypt'>, claim: unknown): DecryptedGrant | undefined {
  try {
    return parseGrant(typeof claim === 'string' ? encryption.decrypt(claim, CONTEXT) : '')
  } catch {
    return undefined
  }
}

function parseGrant(grant: string): DecryptedGrant {
  const [, , user = 0, user_id, client = 0, allowed_client = 0, ofGrant = ''] = grant.split('.')
  return {
    ...parseGrantId(grant),
    generations: { user: Number(user), client: Number(client), allowed_client: Number(allowed_client), grant: ofGrant },
    user_id,
  }
}
