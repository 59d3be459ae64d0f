export const later = {
  label: 'Not here yet',
  works: 'What works today',
  security_password: 'Here you will find everything about your password. You can already change it.',
  two_factor: 'Here you will turn on two-step sign-in.',
  devices: 'Here you will see where you are signed in, and sign out from afar.',
  connected_apps: 'Here you will see the apps you have allowed, and take access back.',
  'go.home': 'Go to Home',
  'go.applications': 'Go to Applications',
  'go.password': 'Change password',
} as const
