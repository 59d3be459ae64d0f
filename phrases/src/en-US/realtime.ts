export const realtime = {
  lost: 'Connection lost. What you see may be out of date.',
  signed_in: 'A device has just signed in: {device}',
  signed_in_somewhere: 'Another device has just signed in',
  not_me: 'This was not me',
  app_request: 'An app asks you to confirm a sign-in: {app}',
  review: 'Review',
} as const
