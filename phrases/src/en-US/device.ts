export const device = {
  title: 'Connect a device',
  text: 'A television, a terminal or another device shows you a code. Type it here to let the device use your account.',
  code: 'Code on the device',
  code_hint: 'Eight letters. The dash appears by itself.',
  compare: 'Go on only if your own device shows exactly this code right now.',
  code_invalid: 'Type all eight letters of the code.',
  go_on: 'Continue',
  unknown: 'No device shows this code. Compare it letter by letter.',
  ended:
    'This code is no longer valid: it works for ten minutes, once, and for one account. Show a new one on the device.',
  same: 'Is this the code on your device?',
  warning:
    'Only allow this if you started it yourself just now, on a device of your own. Nobody who calls or writes to you needs it.',
  what: 'Device',
  place: 'Place',
  address: 'Address',
  when: 'Asked',
  deny: 'Deny',
  'allowed.title': 'Device connected',
  'allowed.text':
    'It continues by itself in a few seconds, and you may close this page. Access ends when you sign out of this browser, or remove it under connected apps.',
  'denied.title': 'Denied',
  'denied.text': 'The device was given nothing. If somebody sent you that code, they were after your account.',
  apps: 'See connected apps',
} as const
