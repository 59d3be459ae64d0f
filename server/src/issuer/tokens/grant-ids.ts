import type { Encryption } from '../../lib/encryption.ts'

/**
 * Grants are virtual: the id names a connection and a session and is never stored. Revoking a grant therefore ends what
 * one client was given in one session; the consent and other devices stay (protocol §3.2).
 */
export function grantIdOf(connection_id: string, session_id: string): string {
  return `${connection_id}.${session_id}`
}

export function parseGrantId(grant_id: string): { connection_id: string; session_id: string } {
  const [connection_id = '', session_id = ''] = grant_id.split('.')
  return { connection_id, session_id }
}

const CONTEXT = 'access_token/grant'

/** The `grant` claim of a JWT access token: encrypted, so that resource servers do not learn the ids. */
export function encryptGrant(
  encryption: Pick<Encryption, 'encrypt'>,
  grant_id: string,
  { token_generation, user_id }: { token_generation: number; user_id: string },
): string {
  return encryption.encrypt(`${grant_id}.${token_generation}.${user_id}`, CONTEXT)
}

/**
 * Decrypts the `grant` claim; its ids are empty without one. Tokens of earlier releases have no `user_id`; their `sub` is
 * the user.
 */
export function decryptGrant(encryption: Pick<Encryption, 'decrypt'>, claim: unknown) {
  const grant = typeof claim === 'string' ? encryption.decrypt(claim, CONTEXT) : ''
  const [, , token_generation = 0, user_id] = grant.split('.')
  return { ...parseGrantId(grant), token_generation: Number(token_generation), user_id }
}
