export const connections = {
  'scope.openid.title': 'Recognize you',
  'scope.openid.description': 'Know that it is you when you come back, by an identifier of your account.',
  'scope.profile.title': 'See your profile',
  'scope.profile.description': 'Your name, username, picture, languages, birth date and gender.',
  'scope.email.title': 'See your email address',
  'scope.email.description': 'Your address, and whether you have confirmed it.',
  'scope.phone.title': 'See your phone number',
  'scope.phone.description': 'The phone number in your profile.',
  'scope.address.title': 'See your country',
  'scope.address.description': 'The country in your profile.',
  'scope.offline_access.title': 'Keep access while you are away',
  'scope.offline_access.description':
    'Use what you allow here also when you are not using the app, until you unlink it.',
} as const
