import { generateKeyPair } from 'jose'
import {
  type AuthenticatingClient,
  assertion,
  assertionForm,
  base64,
  basic,
  type Credentials,
  clientId,
  inSeconds,
  post,
  signed,
  withClaims,
} from './client-credentials.ts'

/** Whether the client is authenticated; otherwise status and error (RFC 6749 §5.2). */
export type Outcome = 'authenticated' | readonly [status: 400 | 401, error: string]

export interface ClientAuthenticationCase {
  title: string
  /** Which of the prepared clients sends it. */
  client: ClientKind
  credentials(client: AuthenticatingClient): Credentials | Promise<Credentials>
  outcome: Outcome
  /** Outcome at the introspection endpoint, where another one is correct. */
  introspection?: Outcome
  /** The same credentials are sent once before. */
  replayed?: true
}

/** `secret`, `public`, `optional_secret` (public with a secret), `key` (private_key_jwt); `disabled` has a secret. */
export type ClientKind = 'secret' | 'public' | 'optional_secret' | 'key' | 'disabled' | 'unknown'

type Row = [
  title: string,
  client: ClientKind,
  credentials: ClientAuthenticationCase['credentials'],
  outcome: Outcome,
  options?: Pick<ClientAuthenticationCase, 'introspection' | 'replayed'>,
]

const AUTHENTICATED = 'authenticated'
const INVALID_CLIENT = [401, 'invalid_client'] as const
const INVALID_REQUEST = [400, 'invalid_request'] as const
const SECRET: Row[] = [
  ['client_secret_basic', 'secret', (c) => ({ authorization: basic(c.client_id, c.client_secret) }), AUTHENTICATED],
  [
    'client_secret_basic with the client_id in the form, too',
    'secret',
    (c) => ({
      authorization: basic(c.client_id, c.client_secret),
      form: [['client_id', c.client_id]],
    }),
    AUTHENTICATED,
  ],
  [
    'client_secret_basic with the former secret within its grace period',
    'secret',
    (c) => ({ authorization: basic(c.client_id, c.previous_secret) }),
    AUTHENTICATED,
  ],
  ['client_secret_post', 'secret', (c) => ({ form: post(c.client_id, c.client_secret) }), AUTHENTICATED],
  [
    'client_secret_basic with a wrong secret',
    'secret',
    (c) => ({ authorization: basic(c.client_id, 'wrong') }),
    INVALID_CLIENT,
  ],
  ['client_secret_post with a wrong secret', 'secret', (c) => ({ form: post(c.client_id, 'wrong') }), INVALID_CLIENT],
  // Asks for authentication before it looks at the client, because public clients cannot introspect.
  ['a client_id without a secret', 'secret', clientId, INVALID_CLIENT, { introspection: INVALID_REQUEST }],
  ['no credentials', 'secret', () => ({}), INVALID_REQUEST],
  [
    'client_secret_basic with an empty secret',
    'secret',
    (c) => ({ authorization: basic(c.client_id, '') }),
    INVALID_REQUEST,
  ],
  [
    'client_secret_basic without a colon',
    'secret',
    (c) => ({ authorization: `Basic ${base64(c.client_id)}` }),
    INVALID_REQUEST,
  ],
  ['client_secret_basic that is not base64', 'secret', () => ({ authorization: 'Basic ***' }), INVALID_REQUEST],
  [
    'client_secret_basic with a broken percent-encoding',
    'secret',
    (c) => ({ authorization: `Basic ${base64(`${c.client_id}:%zz`)}` }),
    INVALID_REQUEST,
  ],
  ['another authentication scheme', 'secret', (c) => ({ authorization: `Bearer ${c.client_secret}` }), INVALID_REQUEST],
  [
    'client_secret_basic and client_secret_post at once',
    'secret',
    (c) => ({
      authorization: basic(c.client_id, c.client_secret),
      form: post(c.client_id, c.client_secret),
    }),
    INVALID_REQUEST,
  ],
  [
    'client_secret_basic with another client_id in the form',
    'secret',
    (c) => ({
      authorization: basic(c.client_id, c.client_secret),
      form: [['client_id', 'another']],
    }),
    INVALID_REQUEST,
  ],
  [
    'client_id twice',
    'secret',
    (c) => ({ form: [...post(c.client_id, c.client_secret), ['client_id', c.client_id]] }),
    INVALID_REQUEST,
  ],
  [
    'client_secret twice',
    'secret',
    (c) => ({ form: [...post(c.client_id, c.client_secret), ['client_secret', 'x']] }),
    INVALID_REQUEST,
  ],
  [
    'the secret of a disabled client',
    'disabled',
    (c) => ({ authorization: basic(c.client_id, c.client_secret) }),
    INVALID_CLIENT,
  ],
  [
    'a secret of an unknown client',
    'unknown',
    (c) => ({ authorization: basic(c.client_id, c.client_secret) }),
    INVALID_CLIENT,
  ],
  // The native endpoint does not check the characters of a client_id (RFC 6749 appendix A.1); it is unknown.
  [
    'a client_id with a NUL character',
    'unknown',
    (c) => ({ authorization: basic('vrt_\0', c.client_secret) }),
    INVALID_REQUEST,
    { introspection: INVALID_CLIENT },
  ],
]

const PUBLIC: Row[] = [
  // Every client must authenticate (RFC 7662 §2.1).
  ['none', 'public', clientId, AUTHENTICATED, { introspection: INVALID_REQUEST }],
  [
    'none of a client with an optional secret',
    'optional_secret',
    clientId,
    AUTHENTICATED,
    { introspection: INVALID_REQUEST },
  ],
  ['the optional secret', 'optional_secret', (c) => ({ form: post(c.client_id, c.client_secret) }), AUTHENTICATED],
  [
    'a wrong optional secret',
    'optional_secret',
    (c) => ({ authorization: basic(c.client_id, 'wrong') }),
    INVALID_CLIENT,
  ],
  [
    'a secret of a public client without one',
    'public',
    (c) => ({ authorization: basic(c.client_id, 'wrong') }),
    INVALID_CLIENT,
  ],
  [
    'an empty client_assertion of a public client',
    'public',
    (c) => ({ form: [['client_id', c.client_id], ...assertionForm('')] }),
    AUTHENTICATED,
    { introspection: INVALID_REQUEST },
  ],
]

const KEY: Row[] = [
  ['private_key_jwt', 'key', signed(), AUTHENTICATED],
  ['private_key_jwt with a clock 8 seconds ahead', 'key', withClaims(() => ({ nbf: inSeconds(8) })), AUTHENTICATED],
  ['a client assertion that was used before', 'key', signed(), INVALID_CLIENT, { replayed: true }],
  [
    'a client assertion of another key',
    'key',
    async (c) => {
      const { privateKey } = await generateKeyPair('ES256')
      return { form: assertionForm(await assertion(c, { key: privateKey })) }
    },
    INVALID_CLIENT,
  ],
  [
    'a client assertion for the token endpoint as audience',
    'key',
    withClaims((c) => ({ aud: `${c.issuer}/token` })),
    AUTHENTICATED,
  ],
  ['a client assertion for a list of one audience', 'key', withClaims((c) => ({ aud: [c.issuer] })), INVALID_CLIENT],
  [
    'a client assertion for several audiences',
    'key',
    withClaims((c) => ({ aud: [c.issuer, 'https://other.example'] })),
    INVALID_CLIENT,
  ],
  [
    'an expired client assertion',
    'key',
    withClaims(() => ({ iat: inSeconds(-120), exp: inSeconds(-60) })),
    INVALID_CLIENT,
  ],
  ['a client assertion without exp', 'key', withClaims(() => ({ exp: undefined })), INVALID_CLIENT],
  [
    'a client assertion that is valid for two hours',
    'key',
    withClaims(() => ({ exp: inSeconds(2 * 3600) })),
    INVALID_CLIENT,
  ],
  ['a client assertion that is not yet valid', 'key', withClaims(() => ({ nbf: inSeconds(60) })), INVALID_CLIENT],
  ['a client assertion without jti', 'key', withClaims(() => ({ jti: undefined })), INVALID_CLIENT],
  ['a client assertion of another issuer', 'key', withClaims(() => ({ iss: 'another' })), INVALID_CLIENT],
  ['a client assertion without sub', 'key', withClaims(() => ({ sub: undefined })), INVALID_CLIENT],
  [
    'a client assertion signed with the secret (HS256)',
    'key',
    signed((c) => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode(c.client_secret) })),
    INVALID_CLIENT,
  ],
  ['a client assertion that is no JWT', 'key', () => ({ form: assertionForm('no-jwt') }), INVALID_REQUEST],
  [
    'a client assertion without client_assertion_type',
    'key',
    async (c) => ({ form: [['client_assertion', await assertion(c)]] }),
    INVALID_REQUEST,
  ],
  [
    'a client assertion of another client_assertion_type',
    'key',
    async (c) => ({
      form: [
        ['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer'],
        ['client_assertion', await assertion(c)],
      ],
    }),
    INVALID_REQUEST,
  ],
  [
    'client_assertion twice',
    'key',
    async (c) => ({
      form: [...assertionForm(await assertion(c)), ['client_assertion', await assertion(c)]],
    }),
    INVALID_REQUEST,
  ],
  [
    'a client assertion with another client_id in the form',
    'key',
    async (c) => ({ form: [['client_id', 'another'], ...assertionForm(await assertion(c))] }),
    INVALID_REQUEST,
  ],
  [
    'a client assertion and a secret at once',
    'key',
    async (c) => ({
      authorization: basic(c.client_id, c.client_secret),
      form: assertionForm(await assertion(c)),
    }),
    INVALID_REQUEST,
  ],
  [
    'the secret of a client with private_key_jwt',
    'key',
    (c) => ({ authorization: basic(c.client_id, c.client_secret) }),
    INVALID_CLIENT,
  ],
  [
    'a client_id alone of a client with private_key_jwt',
    'key',
    clientId,
    INVALID_CLIENT,
    { introspection: INVALID_REQUEST },
  ],
  ['a client assertion of a client with a secret', 'secret', signed(), INVALID_CLIENT],
]

/**
 * Client authentication (RFC 6749 §2.3 and §5.2, RFC 7523 §3): the cases for oidc-provider's endpoints and for the native
 * introspection endpoint.
 */
export const CLIENT_AUTHENTICATION_CASES: ClientAuthenticationCase[] = [...SECRET, ...PUBLIC, ...KEY].map(
  ([title, client, credentials, outcome, options]) => ({ title, client, credentials, outcome, ...options }),
)
