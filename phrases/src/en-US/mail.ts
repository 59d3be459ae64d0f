/** Subjects have no holes: nothing that a person typed reaches a header of a mail. */
export const mail = {
  greeting: 'Hello {name},',
  'link.hint': 'If the button does not work, open this address in your browser:',
  footer: 'Sent by Vrata at {host}, because this address belongs to an account there.',

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
} as const
