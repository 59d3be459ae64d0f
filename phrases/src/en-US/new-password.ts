/** Setting a new password, with a mailed link or the current one. */
export const newPassword = {
  title: 'Set a new password',
  text: 'For your Vrata account.',
  for: 'For the account {email}',
  do: 'Save password',
  code: 'Code from the authenticator app, or a backup code',
  code_hint: 'Two-step sign-in is on for this account.',
  done: 'Your password has been changed. Sign in with the new one.',
  bad_text: 'Links work once, for 30 minutes.',
  new_link: 'Send a new link',
  'change.title': 'Change password',
  'change.text': 'All other devices will be signed out.',
  'change.do': 'Save password',
  'change.done': 'Your password has been changed. Other devices were signed out.',
} as const
