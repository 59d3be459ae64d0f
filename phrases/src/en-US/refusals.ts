export const refusals = {
  title: 'Refused requests',
  text: 'What went wrong in the last seven days, and how to fix it.',
  forget: 'Clear the list',
  times: '{times, plural, one {Once} other {# times}}',
  add: 'Add it',
  added: 'Added. Try again now.',
  'ask.title': 'Is this address yours?',
  'ask.text':
    'Anybody can send a request with an address of their own. Add it only if it belongs to your app: people who sign in are led there.',
  'client_disabled.title': 'The app is switched off',
  'client_disabled.text': 'People cannot sign in until somebody enables it again.',
  'client_disabled.mend': 'Details',
  'redirect_uri.title': 'This redirect URI is not registered',
  'redirect_uri.text': 'It must be registered exactly as the app sends it, letter for letter.',
  'scope.title': 'The app asks for a scope that it may not ask for',
  'scope.text': 'Choose it among the scopes of the app, or leave it out of the request.',
  'scope.mend': 'Scopes',
  'pkce_missing.title': 'The request has no PKCE',
  'pkce_missing.text':
    'Send code_challenge and code_challenge_method=S256 with the request, and code_verifier with the code.',
  'pkce_method.title': 'This code_challenge_method is not accepted',
  'pkce_method.text': 'Send code_challenge_method=S256 together with code_challenge; plain is not secure.',
  'response_type.title': 'This response_type is not offered',
  'response_type.text': 'Use response_type=code; tokens then come from the token endpoint.',
  'authorization_request.title': 'Something in the authorization request is missing or wrong',
  'authorization_request.text': 'Compare the request with the documentation; the line above names the parameter.',
  'par_required.title': 'The request was not sent ahead',
  'par_required.text':
    'This app takes only requests that its server has sent to /par before (PAR). Do so, or turn the switch off in the advanced settings below.',
  'request_uri.title': 'The request_uri is no longer good',
  'request_uri.text':
    'What was sent ahead works once and for one minute. Send it when the sign-in begins, and anew for each one.',
  'request_object.title': 'The signed request is not accepted',
  'request_object.text':
    'Sign it with a registered key of the app, for this server as the audience, and give it a short time to live. The line above says what is wrong.',
  'origin.title': 'A page at this origin may not call',
  'origin.text': 'Pages that fetch tokens or user info in the browser must come from a registered origin.',
  'secret_missing.title': 'The app did not show its secret',
  'secret_missing.text':
    'This app must prove who it is: send the client secret in the Authorization header or in the form. The switch is in the advanced settings below.',
  'secret_wrong.title': 'The client secret is wrong',
  'secret_wrong.text': 'Compare its last four characters with those shown above, or make a new secret.',
  'assertion_missing.title': 'The app did not prove itself by its key',
  'assertion_missing.text':
    'Send client_assertion and client_assertion_type, signed with the app’s private key. A secret counts for nothing while this way is chosen in the advanced settings below.',
  'assertion.title': 'The proof by the app’s key is not accepted',
  'assertion.text':
    'Sign each one anew, with a key whose public half is registered below: iss and sub are the client id, aud is the address of this server, jti is new, exp is near.',
  'dpop_missing.title': 'The request has no DPoP proof',
  'dpop_missing.text':
    'Tokens of this app are bound to a key: send a proof in the DPoP header, or turn the switch off in the advanced settings below.',
  'dpop_proof.title': 'The DPoP proof is not accepted',
  'dpop_proof.text':
    'Make each one anew and with the same key: htm and htu are the method and address that you call, iat is now. The line above says what is wrong.',
  'code.title': 'The authorization code is no longer good',
  'code.text': 'A code works once and for one minute. Exchange it right away, and only once.',
  'code_verifier.title': 'The code_verifier does not match',
  'code_verifier.text':
    'Send the very text from which code_challenge was made for the same sign-in, without encoding it again.',
  'redirect_uri_changed.title': 'The redirect URI is another one than before',
  'redirect_uri_changed.text': 'With the code, send the same redirect_uri as in the authorization request.',
  'refresh_token.title': 'The refresh token has ended',
  'refresh_token.text':
    'That is normal after a sign-out or when access was taken back: start a new sign-in. Each token works once, so always keep the newest.',
  'grant_type.title': 'This grant_type is not offered to the app',
  'grant_type.text': 'See in the documentation which grant types an app of this kind may use.',
  'token_request.title': 'Something in the token request is missing or wrong',
  'token_request.text': 'Compare the request with the documentation; the line above names the parameter.',
} as const
