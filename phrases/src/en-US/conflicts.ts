import type { ConflictProblem } from '@vrata/contract/problem'

/** Sentences of answers with 403 and 409 that the sign-in page seldom shows; pages load them when one occurs. */
export const conflicts = {
  'problem.registration_closed':
    'New accounts can’t be created with this address here. Ask the people who run this service for an invitation.',
  'problem.limit_reached':
    '{of, select, organizations {You have reached the maximum number of organizations per person ({limit}). Delete one that you no longer need.} clients {This organization has reached the maximum number of apps ({limit}). Delete one that you no longer need.} members {This organization has reached the maximum number of members and invitations ({limit}). Remove one first.} joining {This organization has reached the maximum number of members ({limit}). Tell the person who invited you.} invitations {You have sent the maximum number of invitations for today ({limit}). Try again tomorrow.} other {A limit has been reached. Remove something that you no longer need.}}',
  'problem.sign_in_incomplete': 'Complete your sign-in first.',
  'problem.sign_in_replaced':
    'A sign-in with another account was started in another tab, so this one no longer works. Start again.',
  'problem.second_factor_required': 'Add a passkey or two-step sign-in to your account first.',
  'problem.sign_in_method_off': 'This way to sign in is turned off. Use another one.',
  'problem.last_owner': 'An organization needs an owner. Make someone else an owner first.',
  'problem.already_member': 'This person is already a member.',
  'problem.already_invited': 'This address has already been invited. You can resend the invitation from the list.',
  'problem.already_decided': 'Someone else has decided this in the meantime. Close this window and look again.',
  'problem.already_confirmed': 'This email address is already confirmed.',
  'problem.otp_already_on': 'Two-step sign-in is already on.',
  'problem.otp_not_on': 'Two-step sign-in is not on.',
  'problem.otp_setup_expired': 'Setup took too long. Start again.',
  'problem.passkey_exists': 'This passkey is already in the list.',
  'problem.last_passkey': 'You can sign in only with this passkey. Add another one first.',
  'problem.data_request_running': 'An archive is already being prepared. Wait until it is ready.',
  'problem.username_taken': 'This username is taken. Choose another one.',
  'problem.cross_site': 'This request came from another website and was blocked.',
  'problem.insufficient_level': 'Your level or role does not allow this.',
  'problem.email_not_verified': 'Confirm your email address first.',
  'problem.client_disabled': 'The developer has disabled this app.',
  'problem.client_not_approved': 'An operator has to approve this app first.',
  'problem.organization_not_approved': 'An operator has to approve this organization first.',
  'problem.organization_creation_closed': 'Operators create organizations here. Ask them for one.',
  'problem.user_blocked': 'The organization behind this app has blocked you from it.',
  'problem.wrong_account': 'This invitation is for another address. Sign in with the account that uses it.',
  'problem.qr_sign_in_off': 'Sign-in with a QR code is turned off.',
  'problem.unrecognized_device':
    'This device is new, too. You can confirm the other one on a device that you have confirmed, or here a week after you first signed in on this one.',
} as const satisfies Record<`problem.${ConflictProblem}`, string>
