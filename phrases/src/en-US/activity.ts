export const activity = {
  LOGGED_IN: 'Signed in',
  CHANGED_PASSWORD: 'Changed the password',
  CHANGED_EMAIL: 'Changed the email address',
  CREATED_ACCOUNT: 'Created the account',
  ENABLED_OTP: 'Turned on two-step sign-in',
  DISABLED_OTP: 'Turned off two-step sign-in',
  LOGGED_IN_TO_APP: '{app, select, none {Signed in to an app} other {Signed in to {app}}}',
  GRANTED_SCOPES_TO_APP: '{app, select, none {Allowed an app access} other {Allowed {app} access}}',
  REVOKED_SCOPES_FROM_APP: '{app, select, none {Took access back from an app} other {Took access back from {app}}}',
} as const
