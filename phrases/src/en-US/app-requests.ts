export const appRequests = {
  title: '{app} asks you to confirm a sign-in',
  message: 'Compare this text with the one {app} gave you:',
  warning: 'Allow this only if you are signing in to {app} right now. If you did not expect it, deny it.',
  time_left: 'Time left: {time}',
  minutes_left: '{count, plural, one {Expires in # minute} other {Expires in # minutes}}',
  'allowed.title': 'Sign-in allowed',
  'allowed.text': 'The app continues on its own in a few seconds. You can close this page.',
  'denied.title': 'Sign-in denied',
  'denied.text': 'The app got nothing through this request. If it keeps asking, you can remove it in Connected apps.',
  apps: 'See connected apps',
  'card.title': 'Apps waiting for your answer',
  'card.text': 'Confirm only sign-ins that you have started yourself.',
} as const
