export const accountLanguage = {
  offer: 'Emails and apps still use the language of your account.',
  accept: 'Change it, too',
  done: 'The language of your account was changed.',
  failed: 'The language of your account could not be changed. Try again.',
} as const
