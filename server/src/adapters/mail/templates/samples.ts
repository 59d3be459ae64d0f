import { paths } from '@vrata/contract'
import type { MailTemplate, MailValues } from './mail-types.ts'

/** Sample values of every mail template, for previews. `url` is the public URL. */
export function samples(url: string, now: Date): { [T in MailTemplate]: MailValues[T] } {
  const name = 'Ana'
  const reason = 'The website does not say who you are.'
  const when = now.toISOString()
  const facts = { at: when, device: 'Firefox, Linux', place: 'Ljubljana' }
  return {
    confirm_email: { name: '', link: `${url}${paths.confirmEmail('example')}` },
    email_in_use: { name, link: `${url}${paths.home}` },
    reset_password: { name, link: `${url}${paths.resetPassword('example')}` },
    password_changed: { name, link: `${url}${paths.login()}`, ...facts },
    email_changed: { name, link: `${url}${paths.security}`, new_email: 'a•••@example.com', ...facts },
    new_device: { name, link: `${url}${paths.devices}`, ...facts },
    qr_sign_in: { name, link: `${url}${paths.devices}`, ...facts },
    otp_on: { name, link: `${url}${paths.security}`, ...facts },
    otp_off: { name, link: `${url}${paths.security}`, ...facts },
    otp_failed: { name, link: `${url}${paths.security}`, ...facts },
    passkey_added: { name, link: `${url}${paths.security}`, ...facts },
    passkey_removed: { name, link: `${url}${paths.security}`, ...facts },
    recovery_codes_renewed: { name, link: `${url}${paths.security}`, ...facts },
    factor_reset: { name, link: `${url}${paths.keepFactors('example')}` },
    factors_reset: { name, link: `${url}${paths.security}` },
    new_passkey: { name, link: `${url}${paths.newPasskey('example')}` },
    app_request: {
      name,
      link: `${url}${paths.consent({ uid: 'request_example', client_id: 'example' })}`,
      app: 'Jadrolet',
    },
    data_ready: { name, link: `${url}${paths.requestData}`, when },
    deletion_begun: { name, link: `${url}${paths.login()}`, when, ...facts },
    deletion_undone: { name, link: `${url}${paths.home}`, ...facts },
    test: { name, link: `${url}${paths.admin}` },
    deletion_by_operator: { name, link: `${url}${paths.login()}`, when },
    restored_by_operator: { name, link: `${url}${paths.login()}` },
    account_invitation: { name: '', link: `${url}${paths.acceptAccount('example')}`, when },
    organization_approved: { name, link: `${url}${paths.organization('example')}`, organization: 'Kraški studio' },
    organization_rejected: {
      name,
      link: `${url}${paths.organization('example')}`,
      organization: 'Kraški studio',
      reason,
    },
    app_approved: { name, link: `${url}${paths.client('example', 'vrt_example')}`, app: 'Jadrolet' },
    app_rejected: { name, link: `${url}${paths.client('example', 'vrt_example')}`, app: 'Jadrolet', reason },
    invitation: {
      name,
      link: `${url}${paths.acceptInvitation('example')}`,
      when,
      inviter: 'Bor',
      organization: 'Kraški studio',
    },
  }
}
