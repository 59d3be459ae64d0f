export const device = {
  title: 'Connect a device',
  text: 'A TV, a terminal or another device shows you a code. Enter it here to let the device use your account.',
  code: 'Code on the device',
  code_hint: 'Eight letters. The hyphen is added automatically.',
  compare: 'Continue only if your own device shows exactly this code right now.',
  code_invalid: 'Enter all eight letters of the code.',
  go_on: 'Continue',
  unknown: 'No device is showing this code. Check each letter.',
  ended:
    'This code is no longer valid. Codes work once, for ten minutes, and for one account. Get a new one on the device.',
  same: 'Is this the code on your device?',
  warning:
    'Allow this only if you started it yourself just now, on your own device. No one who calls or writes to you needs it.',
  what: 'Device',
  place: 'Location',
  address: 'IP address',
  when: 'Requested',
  deny: 'Deny',
  'allowed.title': 'Device connected',
  'allowed.text':
    'It will continue automatically in a few seconds, and you can close this page. Access ends when you sign out of this browser or remove the app in Connected apps.',
  'denied.title': 'Denied',
  'denied.text': 'The device has no access. If someone sent you that code, they were trying to get into your account.',
  apps: 'See connected apps',
} as const
