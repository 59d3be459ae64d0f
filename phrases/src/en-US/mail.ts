/** Subjects have no arguments, so no user input reaches a mail header. */
export const mail = {
  greeting: '{name, select, none {Hello,} other {Hello {name},}}',
  'link.hint': 'If the button doesn’t work, open this address in your browser:',
  footer: 'Sent by Vrata at {host} because this address belongs to an account there.',
  'footer.invited': 'Sent by Vrata at {host} because someone there invited this address.',

  'facts.at': 'When: {at}',
  'facts.requested': 'Requested: {at}',
  'facts.device': 'Device: {device}',
  'facts.place': 'Location: {place}',

  'confirm_email.subject': 'Confirm your email address',
  'confirm_email.text': 'Confirm that this email address is yours. The link works for 24 hours.',
  'confirm_email.action': 'Confirm email',
  'confirm_email.note': 'If this was not you, ignore this email. Nothing happens without confirmation.',

  'email_in_use.subject': 'Your address was entered for another account',
  'email_in_use.text':
    'Someone entered this email address for another Vrata account. The address stays with your account, and nothing has changed.',
  'email_in_use.action': 'Go to your account',
  'email_in_use.note':
    'If this was you: this address already has an account. Sign in to it, or use another address for the new one.',

  'reset_password.subject': 'Choose a new password',
  'reset_password.text': 'We received a request to set a new password. The link works once, for 30 minutes.',
  'reset_password.action': 'Choose a password',
  'reset_password.note': 'If this was not you, ignore this email. Your password stays the same.',

  'password_changed.subject': 'Your password was changed',
  'password_changed.text': 'The password of your Vrata account was changed. Other devices were signed out.',
  'password_changed.action': 'This was not me',
  'password_changed.note': 'If this was you, you don’t need to do anything.',

  'email_changed.subject': 'The email address of your account was changed',
  'email_changed.text': 'Your Vrata account now uses the address {new_email}. We will no longer send emails here.',
  'email_changed.action': 'This was not me',
  'email_changed.note': 'If this was you, you don’t need to do anything.',

  'new_device.subject': 'A new device signed in',
  'new_device.text': '{device} signed in to your Vrata account for the first time.',
  'new_device.action': 'This was not me',
  'new_device.note':
    'If this was you, you don’t need to do anything. If not, sign out that device and change your password.',

  'qr_sign_in.subject': 'A device signed in with a QR code',
  'qr_sign_in.text':
    '{device} was signed in to your Vrata account because the QR code on its screen was approved on your phone.',
  'qr_sign_in.action': 'This was not me',
  'qr_sign_in.note':
    'If you were in front of that screen, you don’t need to do anything. If not, sign out that device now and change your password.',

  'otp_on.subject': 'Two-step sign-in is on',
  'otp_on.text': 'Your Vrata account now asks for a code after the password.',
  'otp_on.action': 'This was not me',
  'otp_on.note': 'If this was you, you don’t need to do anything. Keep your backup codes in a safe place.',

  'otp_off.subject': 'Two-step sign-in is off',
  'otp_off.text': 'Your Vrata account no longer asks for a code after the password.',
  'otp_off.action': 'This was not me',
  'otp_off.note': 'If this was you, you don’t need to do anything.',

  'factor_reset.subject': 'Your second step and passkeys will be removed',
  'factor_reset.text':
    'An operator was asked to remove two-step sign-in and all passkeys from your Vrata account, because you can’t sign in. This happens in 24 hours.',
  'factor_reset.action': 'Stop it',
  'factor_reset.note':
    'If you asked for help, you don’t need to do anything. If not, stop it now: someone may be trying to get into your account.',

  'factors_reset.subject': 'Your second step and passkeys were removed',
  'factors_reset.text':
    'An operator removed two-step sign-in and all passkeys from your Vrata account. You are signed out everywhere; sign in with your password and set them up again.',
  'factors_reset.action': 'Set them up again',
  'factors_reset.note':
    'If you did not ask for help, change your password now and tell the operators of the installation.',

  'new_passkey.subject': 'Set up a new passkey',
  'new_passkey.text':
    'An operator was asked to help you sign in. Your Vrata account now has neither a passkey nor two-step sign-in. With this link you set up a new passkey and are signed in. It works once, for 24 hours.',
  'new_passkey.action': 'Set up a passkey',
  'new_passkey.note':
    'If you did not ask for help, set up a passkey before someone else can read this email, and tell the operators of the installation.',

  'app_request.subject': 'An app asks you to confirm a sign-in',
  'app_request.text':
    'The app {app} asks you to confirm a sign-in with your Vrata account. The link opens the request, where you allow or deny it. It works once, for ten minutes at most.',
  'app_request.action': 'Review request',
  'app_request.note':
    'If you did not expect this, deny the request or ignore this email. Nothing happens without your answer.',

  'data_ready.subject': 'Your archive is ready',
  'data_ready.text': 'You can download the archive of your data until {when}. After that, it will be deleted.',
  'data_ready.action': 'Download archive',
  'data_ready.note': 'It contains personal data. Keep it where no one else can read it.',

  'deletion_begun.subject': 'Your account will be deleted',
  'deletion_begun.text':
    'On {when}, your Vrata account will be permanently deleted. You are signed out everywhere, and apps no longer have access.',
  'deletion_begun.action': 'Keep account',
  'deletion_begun.note':
    'If this is what you want, you don’t need to do anything. To keep the account, sign in before that date. If this was not you, change your password, too.',

  'deletion_undone.subject': 'Your account won’t be deleted',
  'deletion_undone.text': 'You signed in, so your Vrata account won’t be deleted. Apps will ask for access again.',
  'deletion_undone.action': 'Go to your account',
  'deletion_undone.note': 'If you still want to delete the account, request it again.',

  'test.subject': 'Test email',
  'test.text': 'Emails from this installation arrive at this address.',
  'test.action': 'Open the administration',
  'test.note': 'An operator of this installation asked for this email.',
  'account_invitation.subject': 'An account is waiting for you',
  'account_invitation.text':
    'An account was created for this email address. Choose a password or a passkey to use it. The link works once, until {when}.',
  'account_invitation.action': 'Set up the account',
  'account_invitation.note': 'If you don’t want the account, ignore this email. It will be deleted.',

  'deletion_by_operator.subject': 'Your account will be deleted',
  'deletion_by_operator.text':
    'On {when}, your Vrata account will be permanently deleted, because an operator requested it. You are signed out everywhere, and apps no longer have access.',
  'deletion_by_operator.action': 'Keep account',
  'deletion_by_operator.note': 'To keep the account, sign in before that date.',

  'restored_by_operator.subject': 'Your account won’t be deleted',
  'restored_by_operator.text':
    'An operator canceled the deletion of your Vrata account. Apps will ask for access again.',
  'restored_by_operator.action': 'Sign in',
  'restored_by_operator.note': 'If you still want to delete the account, request it again.',
  'organization_approved.subject': 'Your organization was approved',
  'organization_approved.text':
    'An operator approved the organization {organization}. You can now register apps and invite members.',
  'organization_approved.action': 'Open the organization',
  'organization_approved.note': 'You receive this email because you asked for the approval, or own the organization.',
  'organization_rejected.subject': 'Your organization was not approved',
  'organization_rejected.text':
    'An operator decided not to approve the organization {organization}. Its apps don’t work, and it can’t have new members.{reason, select, none {} other { The reason given: {reason}}}',
  'organization_rejected.action': 'Open the organization',
  'organization_rejected.note':
    'The organization stays as it is. You can change its details and ask for approval again, or delete it.',
  'app_approved.subject': 'Your app was approved',
  'app_approved.text': 'An operator approved the app {app}. People can now sign in to it.',
  'app_approved.action': 'Open the app',
  'app_approved.note': 'You receive this email because you asked for the approval, or own the organization.',
  'app_rejected.subject': 'Your app was not approved',
  'app_rejected.text':
    'An operator decided not to approve the app {app}. No one can sign in to it.{reason, select, none {} other { The reason given: {reason}}}',
  'app_rejected.action': 'Open the app',
  'app_rejected.note': 'The app stays as it is. You can change it and ask for approval again, or delete it.',

  'invitation.subject': 'You are invited to an organization',
  'invitation.text':
    '{inviter} has invited you to the organization {organization}. The invitation is valid until {when}.',
  'invitation.action': 'View invitation',
  'invitation.note': 'If you don’t know this person, ignore this email.',

  'otp_failed.subject': 'Failed sign-in attempts on your account',
  'otp_failed.text':
    'Someone entered several wrong two-step sign-in codes for your Vrata account. They did not get in.',
  'otp_failed.action': 'Change password',
  'otp_failed.note':
    'If this was you, you don’t need to do anything. If not, someone else knows your password: choose a new one now.',

  'recovery_codes_renewed.subject': 'New backup codes for your account',
  'recovery_codes_renewed.text': 'New backup codes were created for your Vrata account. The old ones no longer work.',
  'recovery_codes_renewed.action': 'This was not me',
  'recovery_codes_renewed.note': 'If this was you, you don’t need to do anything.',

  'passkey_added.subject': 'A passkey was added to your account',
  'passkey_added.text': 'A new passkey can now be used to sign in to your Vrata account without the password.',
  'passkey_added.action': 'This was not me',
  'passkey_added.note': 'If this was you, you don’t need to do anything.',

  'passkey_removed.subject': 'A passkey was removed from your account',
  'passkey_removed.text': 'A passkey was removed from your Vrata account and can no longer be used to sign in.',
  'passkey_removed.action': 'This was not me',
  'passkey_removed.note': 'If this was you, you don’t need to do anything.',
} as const
