import { CODE_RULES } from '../../src/issuer/native/authorization-code.ts'
import { AUTHORIZATION_RULES } from '../../src/issuer/native/authorization-rules.ts'
import { CLIENT_CREDENTIALS_RULES } from '../../src/issuer/native/client-credentials.ts'
import { SOURCE_RULES } from '../../src/issuer/native/grant-source.ts'
import type { Rules } from '../../src/issuer/native/rules.ts'
import { CLIENT_RULES, HEADER_RULES } from '../../src/issuer/native/token-client.ts'
import type { TokenCase } from './token-requests.ts'

const code = (app: TokenCase['app'], change: string, variation = 'right'): TokenCase => ({
  grant: 'authorization_code',
  app,
  change,
  variation,
  times: 'once',
})
const refresh = (change: string): TokenCase => ({ ...code('plain', change), grant: 'refresh_token' })
const authorization = (change: string, variation = 'right', app: TokenCase['app'] = 'plain'): TokenCase => ({
  ...code(app, change, variation),
  grant: 'authorization',
})
const service = (app: TokenCase['app'], change: string, variation = 'right'): TokenCase => ({
  ...code(app, change, variation),
  grant: 'client_credentials',
})

/** Every rule, with the case whose answers differ as soon as the rule is missing. */
export const PLANTED: readonly [table: string, rules: Rules<never>, found: Record<string, TokenCase>][] = [
  [
    'headers',
    HEADER_RULES as Rules<never>,
    {
      'no DPoP proof': code('plain', 'nothing', 'a DPoP proof'),
      'no attestation': code('plain', 'nothing', 'an attestation'),
    },
  ],
  [
    'client',
    CLIENT_RULES as Rules<never>,
    {
      enabled: code('plain', 'app disabled'),
      'no key': code('public', 'app has a key'),
      'no certificate': code('plain', 'app needs certificates'),
      'no DPoP': code('plain', 'app needs DPoP'),
      'registered origin': code('plain', 'nothing', 'another origin'),
    },
  ],
  [
    'code or refresh token',
    SOURCE_RULES as Rules<never>,
    {
      'of this client': { ...refresh('nothing'), variation: 'credentials of another app' },
      'live session': refresh('session expired'),
      'enabled user': refresh('user disabled'),
      'not bound': refresh('token bound to a key'),
      'no single claims': { ...refresh('single claims'), app: 'minimal' },
      'no resource': refresh('token for a resource'),
      'openid granted': refresh('openid not granted'),
    },
  ],
  [
    'code',
    CODE_RULES as Rules<never>,
    {
      'redirect URI of the code': code('plain', 'second redirect URI', 'another redirect URI'),
      'registered redirect URI': code('plain', 'redirect URI removed'),
      'no https loopback address': code('plain', 'native app with https loopback address'),
      'S256 challenge': code('plain', 'plain challenge'),
      'form of the verifier': code('plain', 'challenge of a short verifier', 'short verifier'),
      'right verifier': code('plain', 'nothing', 'wrong verifier'),
    },
  ],
  [
    'client credentials',
    CLIENT_CREDENTIALS_RULES as Rules<never>,
    {
      'grant type': service('service', 'app is no service'),
      'allowed scopes': service('service', 'fewer scopes of the app', 'two scopes'),
      'own scopes': service('service', 'nothing', 'a scope of another developer'),
      'no security profile': service('jwt service', 'FAPI 2.0 and an API with RS256'),
      'enabled API': service('jwt service', 'APIs disabled'),
    },
  ],
  [
    'authorization request',
    AUTHORIZATION_RULES as Rules<never>,
    {
      'no certificate': authorization('app needs certificates'),
      'no pushed requests': authorization('app pushes requests'),
      'no request objects': authorization('app signs requests'),
      'no signed responses': authorization('app wants signed responses'),
      'no https loopback address': authorization('native app with https loopback address'),
      'identified client': authorization('redirect URI http://localhost:4000/callback', 'right', 'public'),
      'code response': authorization('nothing', 'another response type'),
      'S256 challenge': authorization('nothing', 'plain challenge'),
      'openid requested': authorization('nothing', 'no openid'),
      'allowed scopes': authorization('fewer scopes of the app'),
    },
  ],
]
