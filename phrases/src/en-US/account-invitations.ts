/** The page by which a person takes over an account that an operator has created. */
export const accountInvitations = {
  title: 'Set up your account',
  for: 'An account was created for {email}. Choose how you want to sign in.',
  text: 'Choose how you want to sign in.',
  do: 'Save password and sign in',
  or: 'Or without a password:',
  passkey: 'Use a passkey',
  invalid: 'This link is not valid',
  invalid_text:
    'It works once, for 7 days. If you have set up the account already, sign in. Otherwise, ask the person who invited you for a new link.',
  login: 'Sign in',
} as const
