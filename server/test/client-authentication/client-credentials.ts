import { type CryptoKey, SignJWT } from 'jose'

/** A client that the cases authenticate. */
export interface AuthenticatingClient {
  client_id: string
  client_secret: string
  /** The secret before it was regenerated with a grace period. */
  previous_secret: string
  issuer: string
  /** Signs with the client's key. */
  privateKey: CryptoKey
}

export interface Credentials {
  authorization?: string
  /** Form parameters; a name may occur twice. */
  form?: [name: string, value: string][]
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const encode = (text: string) => encodeURIComponent(text)
export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const basic = (id: string, secret: string) => `Basic ${base64(`${encode(id)}:${encode(secret)}`)}`

export function post(client_id: string, client_secret: string): [string, string][] {
  return [
    ['client_id', client_id],
    ['client_secret', client_secret],
  ]
}

type AssertionOptions = {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

export async function assertion(client: AuthenticatingClient, options: AssertionOptions = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const { client_id, issuer } = client
  const claims = { iss: client_id, sub: client_id, aud: issuer, iat: now, exp: now + 60, jti: crypto.randomUUID() }
  return await new SignJWT({ ...claims, ...options.claims })
    .setProtectedHeader({ alg: 'ES256', ...options.header })
    .sign(options.key ?? client.privateKey)
}

export const assertionForm = (value: string): [string, string][] => [
  ['client_assertion_type', ASSERTION_TYPE],
  ['client_assertion', value],
]
export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
/** A valid client assertion, changed by `options`. */
export const signed = (options?: (client: AuthenticatingClient) => AssertionOptions) => {
  return async (client: AuthenticatingClient) => ({ form: assertionForm(await assertion(client, options?.(client))) })
}
/** A client assertion with other claims. */
export const withClaims = (claims: (client: AuthenticatingClient) => Record<string, unknown>) =>
  signed((client) => ({ claims: claims(client) }))
export const clientId = (client: AuthenticatingClient): Credentials => ({ form: [['client_id', client.client_id]] })
