import type { Locale } from '@vrata/contract'

/** When, with which device and where something happened to the account. */
export interface MailFacts {
  at: string
  /** For example "Firefox, Linux". */
  device: string
  /** `none` when unknown. */
  place: string
}

/** Values of the phrases of each mail. Times are UTC in ISO 8601. */
export interface MailValues {
  /** Sent to the address to confirm. */
  confirm_email: { name: string; link: string }
  /** Sent to the user of an address that was entered for another account. */
  email_in_use: { name: string; link: string }
  reset_password: { name: string; link: string }
  /** `link` is the page where the owner regains the account if someone else changed the password. */
  password_changed: { name: string; link: string } & MailFacts
  /** Sent to the old address; the caller masks `new_email`. */
  email_changed: { name: string; link: string; new_email: string } & MailFacts
  new_device: { name: string; link: string } & MailFacts
  /** Like `new_device`, for a sign-in approved with a QR code. */
  qr_sign_in: { name: string; link: string } & MailFacts
  otp_on: { name: string; link: string } & MailFacts
  otp_off: { name: string; link: string } & MailFacts
  otp_failed: { name: string; link: string } & MailFacts
  recovery_codes_renewed: { name: string; link: string } & MailFacts
  passkey_added: { name: string; link: string } & MailFacts
  passkey_removed: { name: string; link: string } & MailFacts
  /** An operator has requested to remove second factor and passkeys in 24 hours; the link stops it. */
  factor_reset: { name: string; link: string }
  factors_reset: { name: string; link: string }
  /** For a person who has neither a passkey nor a password to sign in with; the link sets up a passkey. */
  new_passkey: { name: string; link: string }
  /** An app asks the user to sign in (OpenID Connect CIBA Core). */
  app_request: { name: string; link: string; app: string }
  /** `when`: expiry of the archive. */
  data_ready: { name: string; link: string; when: string }
  /** `when`: time of the deletion. The facts are those of the request. */
  deletion_begun: { name: string; link: string; when: string } & MailFacts
  /** The facts are those of the sign-in that canceled the deletion. */
  deletion_undone: { name: string; link: string } & MailFacts
  /** An operator tries whether mails arrive. */
  test: { name: string; link: string }
  /** `when`: time of the deletion that an operator has requested. */
  deletion_by_operator: { name: string; link: string; when: string }
  restored_by_operator: { name: string; link: string }
  /** An operator has created an account; the link takes it over until `when`. */
  account_invitation: { name: string; link: string; when: string }
  /** Decision of operators about an organization or an app. `reason` is `none` without a reason. */
  organization_approved: { name: string; link: string; organization: string }
  organization_rejected: { name: string; link: string; organization: string; reason: string }
  app_approved: { name: string; link: string; app: string }
  app_rejected: { name: string; link: string; app: string; reason: string }
  /** `when`: expiry. The recipient may have no account. */
  invitation: { name: string; link: string; when: string; inviter: string; organization: string }
}
export type MailTemplate = keyof MailValues

export type Mail = {
  [T in MailTemplate]: {
    to: string
    /** The preferred language of the account. */
    locale: Locale
    template: T
    values: MailValues[T]
    /** Expiry of the link; the mail is not sent after it. */
    expires_at?: string
  }
}[MailTemplate]

/** A rendered mail. */
export interface OutgoingMail {
  /** The same for every attempt, so that receivers recognize duplicates. */
  message_id: string
  to: string
  /** Name of the sender, when it is not the configured one. */
  from_name?: string
  subject: string
  text: string
  html: string
  /** The link of the mail's button. */
  link: string
}
