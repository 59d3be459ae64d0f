/** Subjects have no holes: nothing that a person typed reaches a header of a mail. */
export const mail = {
  greeting: '{name, select, none {Hello,} other {Hello {name},}}',
  'link.hint': 'If the button does not work, open this address in your browser:',
  footer: 'Sent by Vrata at {host}, because this address belongs to an account there.',
  'footer.invited': 'Sent by Vrata at {host}, because somebody there invited this address.',

  'confirm_email.subject': 'Confirm your email address',
  'confirm_email.text': 'Confirm that this is your address. The link works for 24 hours.',
  'confirm_email.action': 'Confirm email',
  'confirm_email.note': 'If this was not you, ignore this mail. Without confirmation nothing happens.',

  'reset_password.subject': 'Choose a new password',
  'reset_password.text': 'You asked for a new password. The link works once and for 30 minutes.',
  'reset_password.action': 'Choose a password',
  'reset_password.note': 'If this was not you, ignore this mail. Your password stays as it is.',

  'password_changed.subject': 'Your password was changed',
  'password_changed.text': 'The password of your Vrata account was changed ({when}). Other devices were signed out.',
  'password_changed.action': 'This was not me',
  'password_changed.note': 'If this was you, you have nothing to do.',

  'email_changed.subject': 'The address of your account was changed',
  'email_changed.text': 'Your Vrata account now uses the address {new_email}. Mails no longer come here.',
  'email_changed.action': 'This was not me',
  'email_changed.note': 'If this was you, you have nothing to do.',

  'new_device.subject': 'A new device signed in',
  'new_device.text':
    '{device} signed in to your Vrata account for the first time ({when}{place, select, none {} other {, {place}}}).',
  'new_device.action': 'This was not me',
  'new_device.note': 'If this was you, you have nothing to do. If not, sign that device out and change your password.',

  'qr_sign_in.subject': 'A device signed in with a QR code',
  'qr_sign_in.text':
    '{device} was signed in to your Vrata account because the QR code on its screen was approved on a phone of yours ({when}{place, select, none {} other {, {place}}}).',
  'qr_sign_in.action': 'This was not me',
  'qr_sign_in.note':
    'If you sat in front of that screen, you have nothing to do. If not, sign that device out at once and change your password.',

  'otp_on.subject': 'Two-step sign-in is on',
  'otp_on.text': 'From now on your Vrata account asks for a code after the password (since {when}).',
  'otp_on.action': 'This was not me',
  'otp_on.note': 'If this was you, you have nothing to do. Keep your backup codes in a safe place.',

  'otp_off.subject': 'Two-step sign-in is off',
  'otp_off.text': 'Your Vrata account no longer asks for a code after the password (since {when}).',
  'otp_off.action': 'This was not me',
  'otp_off.note': 'If this was you, you have nothing to do.',

  'data_ready.subject': 'Your archive is ready',
  'data_ready.text': 'The archive of your data can be fetched until {when}. After that it is deleted.',
  'data_ready.action': 'Fetch the archive',
  'data_ready.note': 'It holds personal data. Keep it where nobody else reads it.',

  'deletion_begun.subject': 'Your account will be deleted',
  'deletion_begun.text':
    'Your Vrata account will be deleted for good ({when}). You are signed out everywhere, and apps no longer have access.',
  'deletion_begun.action': 'Keep the account',
  'deletion_begun.note': 'If you want this, you have nothing to do. Signing in before then keeps the account.',

  'deletion_undone.subject': 'Your account stays',
  'deletion_undone.text': 'You signed in, so your Vrata account will not be deleted. Apps ask you anew for access.',
  'deletion_undone.action': 'Go to the account',
  'deletion_undone.note': 'If you want the account deleted, ask for it again.',

  'invitation.subject': 'You are invited to an organization',
  'invitation.text': '{inviter} invites you to the organization {organization}. The invitation is valid until {when}.',
  'invitation.action': 'See the invitation',
  'invitation.note': 'If you do not know who this is, ignore this mail.',

  'otp_failed.subject': 'Wrong codes at the sign-in to your account',
  'otp_failed.text':
    'Somebody gave several wrong codes of the two-step sign-in of your Vrata account ({when}). They did not get in.',
  'otp_failed.action': 'Change the password',
  'otp_failed.note': 'If this was you, you have nothing to do. Otherwise your password is known: choose a new one now.',

  'recovery_codes_renewed.subject': 'New backup codes for your account',
  'recovery_codes_renewed.text':
    'New backup codes were made for your Vrata account ({when}). The old ones no longer work.',
  'recovery_codes_renewed.action': 'This was not me',
  'recovery_codes_renewed.note': 'If this was you, you have nothing to do.',

  'passkey_added.subject': 'A passkey was added to your account',
  'passkey_added.text': 'A new passkey now opens your Vrata account, without the password ({when}).',
  'passkey_added.action': 'This was not me',
  'passkey_added.note': 'If this was you, you have nothing to do.',

  'passkey_removed.subject': 'A passkey was removed from your account',
  'passkey_removed.text': 'A passkey of your Vrata account was removed and no longer opens it ({when}).',
  'passkey_removed.action': 'This was not me',
  'passkey_removed.note': 'If this was you, you have nothing to do.',
} as const
