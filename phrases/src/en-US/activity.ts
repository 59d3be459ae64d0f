export const activity = {
  LOGGED_IN: 'Signed in',
  CHANGED_PASSWORD: 'Changed the password',
  CHANGED_EMAIL: 'Changed the email address',
  CREATED_ACCOUNT: 'Created the account',
  ENABLED_OTP: 'Turned on two-step sign-in',
  DISABLED_OTP: 'Turned off two-step sign-in',
  LOGGED_IN_TO_APP: '{app, select, none {Signed in to an app} other {Signed in to {app}}}',
  GRANTED_SCOPES_TO_APP: '{app, select, none {Gave an app access} other {Gave {app} access}}',
  REVOKED_SCOPES_FROM_APP: '{app, select, none {Removed access from an app} other {Removed access from {app}}}',
  ADDED_PASSKEY: 'Added a passkey',
  REMOVED_PASSKEY: 'Removed a passkey',
  LOGGED_OUT_DEVICE: 'Signed out a device',
  REQUESTED_DATA: 'Requested a copy of the account data',
  BEGAN_DELETION: 'Requested account deletion',
  UNDID_DELETION: 'Canceled account deletion',
  RENEWED_RECOVERY_CODES: 'Created new backup codes',
  SERVICE_USED_ACCESS:
    '{service, select, none {A service} other {{service}}} used the access you gave {app, select, none {an app} other {{app}}}',
  ALLOWED_REQUEST_OF_APP:
    '{app, select, none {Allowed a sign-in request of an app} other {Allowed a sign-in request of {app}}}',
  DENIED_REQUEST_OF_APP:
    '{app, select, none {Denied a sign-in request of an app} other {Denied a sign-in request of {app}}}',
  OPERATOR_ROLE_CHANGED: 'Operator role changed',
} as const
