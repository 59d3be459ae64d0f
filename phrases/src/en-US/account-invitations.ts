/** The pages of mailed links that sign in: to an account that an operator has created, and to one that has lost its passkeys. */
export const accountInvitations = {
  title: 'Set up your account',
  for: 'An account was created for {email}. Set up how you sign in.',
  text: 'Set up how you sign in.',
  do: 'Save password and sign in',
  or: 'Or without a password:',
  passkey: 'Use a passkey',
  invalid: 'This link is not valid',
  invalid_text:
    'It works once, for 7 days. If you have set up the account already, sign in. Otherwise, ask the person who invited you for a new link.',
  maybe: 'Your account may already be set up',
  maybe_text:
    'One of your attempts got no answer, and the link no longer works. Try to sign in with what you have set up. If that fails, ask the person who invited you for a new link.',
  login: 'Sign in',
  new_passkey: 'Set up a new passkey',
  'new_passkey.for': 'Your account {email} has no passkey anymore. Set one up to sign in.',
  'new_passkey.text': 'Your account has no passkey anymore. Set one up to sign in.',
  'new_passkey.do': 'Set up a passkey and sign in',
  'new_passkey.invalid':
    'It works once, for 24 hours. If you have set up a passkey already, sign in. Otherwise, ask the people who run this service for a new link.',
  'new_passkey.maybe': 'Your new passkey may already be set up',
  'new_passkey.maybe_text':
    'One of your attempts got no answer, and the link no longer works. Try to sign in with the new passkey. If that fails, ask the people who run this service for a new link.',
  script: 'Passkeys need JavaScript. Turn it on in this browser, or open the link in another one.',
} as const
