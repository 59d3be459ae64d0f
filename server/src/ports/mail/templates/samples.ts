import type { MailTemplate, MailValues } from '../mail.ts'

/** What a mail could say, for looking at each of them. `url` is the public URL; a template without a sample does not compile. */
export function samples(url: string, now: Date): { [T in MailTemplate]: MailValues[T] } {
  const name = 'Ana'
  const when = now.toISOString()
  return {
    confirm_email: { name, link: `${url}/confirm-email/example` },
    reset_password: { name, link: `${url}/change-password/example` },
    password_changed: { name, link: `${url}/login`, when },
    email_changed: { name, link: `${url}/security`, new_email: 'a•••@example.com' },
    new_device: { name, link: `${url}/devices`, when, device: 'Firefox, Linux', place: 'Ljubljana' },
    qr_sign_in: { name, link: `${url}/devices`, when, device: 'Firefox, Linux', place: 'Ljubljana' },
    otp_on: { name, link: `${url}/security`, when },
    otp_off: { name, link: `${url}/security`, when },
    otp_failed: { name, link: `${url}/security`, when },
    passkey_added: { name, link: `${url}/security`, when },
    passkey_removed: { name, link: `${url}/security`, when },
    recovery_codes_renewed: { name, link: `${url}/security`, when },
    data_ready: { name, link: `${url}/privacy/request-data`, when },
    deletion_begun: { name, link: `${url}/login`, when },
    deletion_undone: { name, link: `${url}/home` },
    invitation: { name, link: `${url}/accept-invitation/example`, when, inviter: 'Bor', organization: 'Kraški studio' },
  }
}
