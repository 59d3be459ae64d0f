/** Signing out, also after the deletion of the account. */
export const signOut = {
  title: 'Signing out',
  ask: 'Sign out on this device?',
  do: 'Sign out',
  done: 'You are signed out',
  failed: 'You are still signed in',
  'deleted.title': 'Your account will be deleted',
  'deleted.text':
    'You are signed out everywhere. On {date}, your account and everything in it will be permanently deleted.',
  'deleted.mail': 'We sent you an email about this. If you sign in before that date, your account won’t be deleted.',
  'deleted.keep': 'Sign in to keep your account',
} as const
