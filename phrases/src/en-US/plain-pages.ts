/** Pages that the server renders; the browser loads none of it. */
export const plainPages = {
  'continue.title': 'You are signed in',
  'continue.do': 'Continue',
  'password.text': 'Sign in with the new one.',
  'leave.title': 'Sign out?',
  'leave.asked_by': '{app} wants to sign you out of your account on this device.',
  'leave.text': 'You will be signed out of your account on this device.',
  'leave.do': 'Sign out',
  'leave.stay': 'Stay signed in',
  'apps.title': 'Signing you out',
  'apps.text': 'You are also being signed out of {apps}.',
  'factors.title': 'Remove your second step and passkeys?',
  'factors.text':
    'An operator was asked to remove two-step sign-in and all passkeys from your account. This happens on {when}.',
  'factors.hint': 'If you did not ask for help, stop it now. Your account then stays as it is.',
  'factors.keep': 'Stop it and keep everything',
  'factors.stopped': 'Nothing will be removed',
  'factors.stopped_text':
    'Two-step sign-in and passkeys stay on your account. If you did not ask for help, tell the operators of this installation.',
  'factors.done': 'Two-step sign-in and passkeys were removed',
  'factors.done_text':
    'Sign in with your password and set them up again. If you did not ask for help, change your password now and tell the operators of this installation.',
  'factors.invalid': 'This link is not valid',
  'factors.invalid_text': 'Check that you have opened the whole address from the newest email.',
} as const
