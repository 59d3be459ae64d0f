// The program for Node of AppAuth-JS (src/node_app): the system browser and a loopback redirect URI (RFC 8252 §7.3).
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import {
  AuthorizationNotifier,
  AuthorizationRequest,
  AuthorizationServiceConfiguration,
  BaseTokenRequestHandler,
  GRANT_TYPE_AUTHORIZATION_CODE,
  GRANT_TYPE_REFRESH_TOKEN,
  TokenRequest,
} from '@openid/appauth'
import { NodeCrypto } from '@openid/appauth/built/src/node_support/crypto_utils.js'
import { NodeBasedHandler } from '@openid/appauth/built/src/node_support/node_request_handler.js'
import { NodeRequestor } from '@openid/appauth/built/src/node_support/node_requestor.js'
import opener from 'opener'

const { ISSUER, CLIENT_ID, PORT } = process.env
const redirect_uri = `http://127.0.0.1:${PORT}/callback`
const commands = createInterface({ input: process.stdin })

const requestor = new NodeRequestor()
const tokenHandler = new BaseTokenRequestHandler(requestor)
const configuration = await AuthorizationServiceConfiguration.fetchFromIssuer(ISSUER, requestor)

const notifier = new AuthorizationNotifier()
const authorizationHandler = new NodeBasedHandler(Number(PORT))
authorizationHandler.setAuthorizationNotifier(notifier)
const answered = new Promise((resolve, reject) => {
  notifier.setAuthorizationListener((request, response, error) =>
    response ? resolve({ request, response }) : reject(error),
  )
})
authorizationHandler.performAuthorizationRequest(
  configuration,
  new AuthorizationRequest(
    {
      client_id: CLIENT_ID,
      redirect_uri,
      scope: 'openid profile email',
      response_type: AuthorizationRequest.RESPONSE_TYPE_CODE,
    },
    new NodeCrypto(),
  ),
)
const { request, response } = await answered
const tokens = await tokenHandler.performTokenRequest(
  configuration,
  new TokenRequest({
    client_id: CLIENT_ID,
    redirect_uri,
    grant_type: GRANT_TYPE_AUTHORIZATION_CODE,
    code: response.code,
    extras: { code_verifier: request.internal.code_verifier },
  }),
)
const { name, email } = await requestor.xhr({
  url: configuration.userInfoEndpoint,
  method: 'GET',
  dataType: 'json',
  headers: { authorization: `Bearer ${tokens.accessToken}` },
})
console.log(`${name} ${email}`)

await once(commands, 'line')
const renewed = await tokenHandler.performTokenRequest(
  configuration,
  new TokenRequest({
    client_id: CLIENT_ID,
    redirect_uri,
    grant_type: GRANT_TYPE_REFRESH_TOKEN,
    refresh_token: tokens.refreshToken,
  }),
)
if (renewed.accessToken === tokens.accessToken) throw new Error('The access token is the same.')
console.log('Renewed')

await once(commands, 'line')
opener(`${configuration.endSessionEndpoint}?id_token_hint=${tokens.idToken}`)
commands.close()
