export const clientDiagnostics = {
  title: 'Rejected requests',
  text: 'What went wrong in the last seven days, and how to fix it.',
  forget: 'Clear list',
  times: '{times, plural, one {Once} other {# times}}',
  add: 'Add it',
  added: 'Added. Try again now.',
  'ask.title': 'Is this address yours?',
  'ask.text':
    'Anyone can send a request with their own address. Add it only if it belongs to your app, because people who sign in are sent there.',
  'client_disabled.title': 'The app is disabled',
  'client_disabled.text': 'People can’t sign in until someone enables it again.',
  'client_disabled.fix': 'Details',
  'client_not_approved.title': 'The app is not approved',
  'client_not_approved.text': 'People can’t sign in until an operator of this installation approves it.',
  'client_not_approved.fix': 'Details',
  'redirect_uri.title': 'This redirect URI is not registered',
  'redirect_uri.text': 'It must be registered exactly as the app sends it, character for character.',
  'scope.title': 'The app asks for a scope it may not ask for',
  'scope.text': 'Add it to the scopes of the app, or leave it out of the request.',
  'scope.fix': 'Scopes',
  'pkce_missing.title': 'The request does not use PKCE',
  'pkce_missing.text':
    'Send code_challenge and code_challenge_method=S256 with the request, and code_verifier with the code. If the library can’t and the app has a client secret, turn Require PKCE off below.',
  'pkce_method.title': 'This code_challenge_method is not accepted',
  'pkce_method.text': 'Send code_challenge_method=S256 together with code_challenge; plain is not secure.',
  'response_type.title': 'The response_type is missing or not supported',
  'response_type.text': 'Use response_type=code; tokens then come from the token endpoint.',
  'response_mode.title': 'This response_mode is not accepted',
  'response_mode.text':
    'If the app has chosen signed authorization responses, send response_mode=jwt, query.jwt, fragment.jwt or form_post.jwt. Otherwise query, fragment and form_post are accepted, too.',
  'authorization_request.title': 'A parameter of the authorization request is missing or wrong',
  'authorization_request.text': 'The line above names the parameter. Compare the request with the documentation.',
  'post_logout_redirect_uri.title': 'This post-logout redirect URI is not registered',
  'post_logout_redirect_uri.text':
    'It must be registered below, under Sign-out URLs, exactly as the app sends it, character for character.',
  'id_token_hint.title': 'The id_token_hint of a sign-out is not accepted',
  'id_token_hint.text':
    'Send an ID token that this app has received from here, unchanged. It may have expired. The line above says what is wrong.',
  'end_session_request.title': 'A parameter of the sign-out request is missing or wrong',
  'end_session_request.text': 'The line above names the parameter. Compare the request with the documentation.',
  'no_access.title': 'A person may not use this app',
  'no_access.text':
    'The access settings of the app, on its details page, exclude this person. A member with the level admin can change them there; operators put people into groups.',
  'par_required.title': 'The authorization request was not pushed',
  'par_required.text':
    'This app accepts only requests that its server has sent to /par first (PAR). Do that. Without FAPI 2.0 you can also turn the requirement off below, under Expert settings.',
  'request_uri.title': 'The request_uri is no longer valid',
  'request_uri.text': 'A pushed request works once, for one minute. Send a new one at the start of each sign-in.',
  'request_object.title': 'The signed request is not accepted',
  'request_object.text':
    'Sign it with a registered key of the app, with this server as the audience and a short lifetime. If the app has registered an algorithm, use that one. The line above says what is wrong.',
  'request_object_missing.title': 'The authorization request is not signed',
  'request_object_missing.text':
    'This app accepts only signed requests (JAR): put all parameters into a JWT that is signed with a registered key, and send it as request. Or turn the requirement off below, under Expert settings.',
  'request_object_lifetime.title': 'The times in the signed request are not accepted',
  'request_object_lifetime.text':
    'A signed request needs exp. With FAPI 2.0 it also needs nbf, which is the current time, and exp is at most 60 minutes after it. The line above says what is wrong.',
  'resource.title': 'This resource is not available to the app',
  'resource.text':
    'resource names an API that Vrata knows, and the request contains at least one scope of that API which the person has allowed.',
  'unregistered_client.title': 'A program that no one has registered was rejected',
  'unregistered_client.text':
    'It asked for access to an API of this app. The line above says which program it was and what was wrong. Its developer has to fix this.',
  'origin.title': 'This origin is not registered',
  'origin.text': 'Pages that request tokens or user info in the browser must be on a registered origin.',
  'secret_missing.title': 'The app did not send its secret',
  'secret_missing.text':
    'This app must authenticate: send the client secret in the Authorization header or in the form. You can change this below, under Advanced.',
  'secret_wrong.title': 'The client secret is wrong',
  'secret_wrong.text': 'Compare its last four characters with those shown above, or create a new secret.',
  'assertion_missing.title': 'The app did not authenticate with its key',
  'assertion_missing.text':
    'Send client_assertion and client_assertion_type, signed with the app’s private key. A secret is not accepted while this method is selected below, under Expert settings.',
  'assertion.title': 'The client assertion is not accepted',
  'assertion.text':
    'Sign a new one for each request, with a key whose public half is registered below: iss and sub are the client ID, aud is the address of this server, jti is new and exp is soon. If the app has registered an algorithm, use that one. The line above says what is wrong.',
  'assertion_audience.title': 'The client assertion names the wrong audience',
  'assertion_audience.text':
    'With FAPI 2.0, aud is the address of this server (the issuer) as a single text. Without it, aud may also be the address of the token endpoint. A list is never accepted.',
  'algorithm.title': 'This signature algorithm is not accepted',
  'algorithm.text':
    'If the app has registered an algorithm, use that one. With FAPI 2.0, client assertions, signed requests and DPoP proofs are signed with PS256, ES256 or EdDSA, not with RS256.',
  'dpop_missing.title': 'The request has no DPoP proof',
  'dpop_missing.text':
    'Tokens of this app are bound to a key: send a proof in the DPoP header, also with every token at userinfo. Without FAPI 2.0 you can also turn the requirement off below, under Expert settings.',
  'dpop_proof.title': 'The DPoP proof is not accepted',
  'dpop_proof.text':
    'Create a new proof for each request, always with the same key: htm and htu are the method and URL of the request, iat is the current time. The line above says what is wrong.',
  'certificate_missing.title': 'The request has no client certificate',
  'certificate_missing.text':
    'This request needs the app’s TLS certificate. Call the address under mtls_endpoint_aliases in the discovery document, if there is one, and present the certificate there. If the app already does, ask the operator of this server whether the proxy passes it on.',
  'certificate.title': 'The client certificate is not accepted',
  'certificate.text':
    'Present the certificate that is registered below, or the one to which the token is bound. It must have the registered name and, with an authority, be issued by one that the operator of this server trusts. The line above says what is wrong.',
  'code.title': 'The authorization code is no longer valid',
  'code.text': 'A code works once, for one minute. Exchange it right away.',
  'code_verifier.title': 'The code_verifier does not match',
  'code_verifier.text':
    'Send the exact text from which code_challenge was created for the same sign-in, without encoding it again.',
  'redirect_uri_changed.title': 'The redirect URI differs from the authorization request',
  'redirect_uri_changed.text': 'With the code, send the same redirect_uri as in the authorization request.',
  'refresh_token.title': 'The refresh token is no longer valid',
  'refresh_token.text':
    'This is normal after a sign-out or when access was removed: start a new sign-in. Each token works once, so always keep the newest one.',
  'subject_token.title': 'The token to exchange is not accepted',
  'subject_token.text':
    'It has expired or was revoked, it is not an access token of a person, or it was issued neither to an app of your organization nor for an API of this service. Tokens of people whom your organization has blocked are not accepted either.',
  'grant_type.title': 'This grant_type is not available to the app',
  'grant_type.text': 'The documentation lists the grant types that an app of this kind may use.',
  'token_request.title': 'A parameter of the token request is missing or wrong',
  'token_request.text': 'The line above names the parameter. Compare the request with the documentation.',
  'userinfo_token.title': 'This access token does not work at userinfo',
  'userinfo_token.text':
    'Userinfo needs an access token of a person, with the scope openid and without resource, once, in the Authorization header or the form. The line above says what is wrong.',
  'token_type.title': 'This kind of token can’t be revoked',
  'token_type.text':
    'An access token in the format JWT is valid until it expires. Revoke the refresh token, or choose opaque access tokens below, under Expert settings.',
  'login_hint.title': 'The request does not say whom to ask',
  'login_hint.text':
    'Send exactly one of login_hint (email address or username) and id_token_hint. login_hint_token is not supported.',
  'binding_message.title': 'This binding_message is not accepted',
  'binding_message.text': 'Use at most 40 letters, digits, spaces and simple punctuation.',
  'requests_waiting.title': 'Too many requests wait for the same person',
  'requests_waiting.text': 'Wait until the person has answered, or until the requests have expired.',
  'ciba_request.title': 'A parameter of the sign-in request is missing or wrong',
  'ciba_request.text':
    'The line above names the parameter. Compare the request to /backchannel_authentication with the documentation.',
  'test.title': 'Try this sign-in',
  'test.text':
    'Signs you in with the settings of this app, in a new window, and shows what the app would receive. The app itself is not called.',
  'test.start': 'Try this sign-in',
  'test.again': 'Try again',
  'test.waiting':
    'Finish the sign-in in the other window. If it shows an error, close it: the reason is listed under Rejected requests.',
  'test.stop': 'Stop waiting',
  'test.blocked': 'The browser blocked the window',
  'test.blocked_text': 'Allow pop-ups for this page and try again.',
  'test.insecure': 'This page is not encrypted',
  'test.insecure_text': 'Browsers allow this only over https or on localhost.',
  'test.failed': 'The sign-in failed',
  'test.failed_text': 'The app would receive this error:',
  'test.denied': 'Access was not allowed',
  'test.denied_text': 'The app would receive this error and should let people try again:',
  'test.done': 'The sign-in works',
  'test.done_text': '{app} would receive the following.',
  'test.scopes': 'Scopes',
  'test.access_token': 'Access token',
  'test.expires_in': 'valid for {minutes, plural, one {# minute} other {# minutes}}',
  'test.id_token': 'ID token',
  'test.header': 'ID token header',
  'test.userinfo': 'Userinfo',
  'test.no_id_token': 'There is no ID token, because the app does not ask for the scope openid.',
  'test.return': 'The test is finished',
  'test.return_text': 'You can close this window. The result is in the Development tab.',
} as const
