import { clients } from '@vrata/contract'

/** Package registries, which are also the Playwright projects. */
export const REGISTRIES = ['npm', 'PyPI', 'Go', 'Maven Central'] as const
export type Registry = (typeof REGISTRIES)[number]

/** Signs the ID tokens of new apps. */
export const [DEFAULT_ALGORITHM] = clients.SIGNING_ALGORITHMS

/** The tag of tests of libraries of a registry. */
export const tagOf = (registry: Registry) => `@${registry.toLowerCase().replace(' ', '-')}`

/** A client library with the program in `programs/` that uses it as its documentation does. */
export type Library = {
  /** Folder of the program. */
  key: string
  name: string
  /** The package whose version counts. */
  package: string
  registry: Registry
  type: clients.ClientType
  /** Path of the redirect URI. */
  callback: string
  /** Settings of the app that differ from those of a new one. */
  settings?: { changes: Partial<clients.Advanced>; sentence: string }
  /** Settings that the program adds to the first example of the library's documentation. */
  needs?: string
  /** The command that compiles a program of others, which `app.mjs` starts. */
  compiles?: [program: string, ...args: string[]]
  /** How the library renews; null if it has no function for it. */
  renews: string | null
  /**
   * The library renews when the access token is about to expire, so that of the app lives a minute. Otherwise the program
   * renews at the press of a button.
   */
  renewsBeforeExpiry?: true
  /** Algorithms of ID tokens that it accepts with the same settings. */
  algorithms: readonly clients.SigningAlgorithm[]
  /** The part that builds the request to the end-session endpoint. */
  signsOut: 'library' | 'program'
}

const PKCE_OFF = {
  changes: { require_pkce: false },
  sentence: '**Require PKCE** off, because the program sends no `code_challenge`',
}

export const LIBRARIES: readonly Library[] = [
  {
    key: 'openid-client',
    name: 'openid-client',
    package: 'openid-client',
    registry: 'npm',
    type: 'web',
    callback: '/callback',
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'library',
  },
  {
    key: 'oauth4webapi',
    name: 'oauth4webapi',
    package: 'oauth4webapi',
    registry: 'npm',
    type: 'web',
    callback: '/callback',
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'auth-express',
    name: 'Auth.js',
    package: '@auth/express',
    registry: 'npm',
    type: 'web',
    callback: '/auth/callback/vrata',
    needs: 'the callbacks `jwt` and `session`, which keep the tokens',
    renews: 'refresh token, by the program',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'express-openid-connect',
    name: 'express-openid-connect',
    package: 'express-openid-connect',
    registry: 'npm',
    type: 'web',
    callback: '/callback',
    needs: "`authorizationParams: { response_type: 'code' }`; the default is the implicit flow",
    renews: 'refresh token',
    algorithms: ['RS256'],
    signsOut: 'library',
  },
  {
    key: 'passport-openidconnect',
    name: 'passport-openidconnect',
    package: 'passport-openidconnect',
    registry: 'npm',
    type: 'web',
    callback: '/cb',
    settings: PKCE_OFF,
    needs: "`scope: ['profile', 'email']`",
    renews: null,
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'simple-oauth2',
    name: 'simple-oauth2',
    package: 'simple-oauth2',
    registry: 'npm',
    type: 'web',
    callback: '/callback',
    settings: PKCE_OFF,
    needs: "`http: { json: 'force' }` to revoke tokens",
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'oidc-client-ts',
    name: 'oidc-client-ts',
    package: 'oidc-client-ts',
    registry: 'npm',
    type: 'spa',
    callback: '/',
    needs: "`scope: 'openid profile email'`",
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'library',
  },
  {
    key: 'react-oidc-context',
    name: 'react-oidc-context',
    package: 'react-oidc-context',
    registry: 'npm',
    type: 'spa',
    callback: '/',
    needs: "`scope: 'openid profile email'`",
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'library',
  },
  {
    key: 'appauth',
    name: 'AppAuth-JS',
    package: '@openid/appauth',
    registry: 'npm',
    type: 'native',
    callback: '/callback',
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'authlib',
    name: 'Authlib',
    package: 'Authlib',
    registry: 'PyPI',
    type: 'web',
    callback: '/authorize',
    needs: "`'code_challenge_method': 'S256'`",
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'library',
  },
  {
    key: 'mozilla-django-oidc',
    name: 'mozilla-django-oidc',
    package: 'mozilla-django-oidc',
    registry: 'PyPI',
    type: 'web',
    callback: '/oidc/callback/',
    needs: "`OIDC_RP_SIGN_ALGO = 'RS256'`, `OIDC_USE_PKCE = True`, `OIDC_RP_SCOPES = 'openid profile email'`",
    renews: '`prompt=none`',
    algorithms: ['RS256'],
    signsOut: 'program',
  },
  {
    key: 'go-oidc',
    name: 'go-oidc with x/oauth2',
    package: 'github.com/coreos/go-oidc/v3',
    registry: 'Go',
    type: 'web',
    callback: '/callback',
    needs: '`oauth2.S256ChallengeOption`',
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'oauth2-proxy',
    name: 'oauth2-proxy',
    package: 'github.com/oauth2-proxy/oauth2-proxy/v7',
    registry: 'Go',
    type: 'web',
    callback: '/oauth2/callback',
    compiles: ['go', 'build', '-p', '1', '-o', 'client', 'github.com/oauth2-proxy/oauth2-proxy/v7'],
    needs: '`--code-challenge-method=S256`, `--cookie-refresh`, `--whitelist-domain` for the sign-out at Vrata',
    renews: 'refresh token',
    algorithms: clients.SIGNING_ALGORITHMS,
    signsOut: 'program',
  },
  {
    key: 'spring-security',
    name: 'Spring Security in Spring Boot',
    package: 'spring-boot-starter-security-oauth2-client',
    registry: 'Maven Central',
    type: 'web',
    callback: '/login/oauth2/code/vrata',
    renews: 'refresh token',
    algorithms: ['RS256'],
    renewsBeforeExpiry: true,
    signsOut: 'library',
  },
  {
    key: 'pac4j',
    name: 'pac4j',
    package: 'pac4j-oidc',
    registry: 'Maven Central',
    type: 'web',
    callback: '/callback?client_name=OidcClient',
    needs: '`setExpireSessionWithToken(true)` to renew',
    renews: 'refresh token',
    algorithms: ['RS256', 'ES256'],
    renewsBeforeExpiry: true,
    signsOut: 'library',
  },
]
