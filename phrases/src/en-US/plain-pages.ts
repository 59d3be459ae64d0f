/** Pages that the server renders; the browser loads none of it. */
export const plainPages = {
  'continue.title': 'You are signed in',
  'continue.do': 'Continue',
  'leave.title': 'Sign out?',
  'leave.asked_by': '{app} wants to sign you out of your account on this device.',
  'leave.text': 'You will be signed out of your account on this device.',
  'leave.do': 'Sign out',
  'leave.stay': 'Stay signed in',
  'apps.title': 'Signing you out',
  'apps.text': 'You are also being signed out of {apps}.',
} as const
