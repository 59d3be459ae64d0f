import { decodeProtectedHeader } from 'jose'
import type { Provider } from 'oidc-provider'

// The part of compat.ts about ID tokens that clients present as a hint. Its tests are in compat.test.ts.

type Client = { idTokenSignedResponseAlg: string }
type IdTokens = { validate(jwt: string, client: Client): Promise<object> }

/**
 * Depends on oidc-provider 9.x: `IdToken.validate` accepts a hint alone that is signed with the algorithm that the client has registered now. A hint
 * may be older than that setting, so each of our algorithms is accepted. Throws when there is no such function.
 */
export function acceptHintsOf(provider: Provider, algorithms: readonly string[]): void {
  const { IdToken } = provider as unknown as { IdToken: IdTokens }
  const { validate } = IdToken
  if (typeof validate !== 'function') throw new Error('oidc-provider: IdToken.validate is missing')
  IdToken.validate = async (jwt, client) => {
    const { alg = '' } = decodeProtectedHeader(jwt)
    const signedWith = algorithms.includes(alg) ? alg : client.idTokenSignedResponseAlg
    return await validate.call(IdToken, jwt, Object.create(client, { idTokenSignedResponseAlg: { value: signedWith } }))
  }
}
