import { paths } from '@vrata/contract'
import type { TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'
import { greetingName, localeOf, mailFacts, type User } from '../account/public.ts'
import { queueNotice } from './mail-limits.ts'

/** Mail templates about changed authentication methods. */
type SecurityMail = 'otp_on' | 'otp_off' | 'otp_failed' | 'recovery_codes_renewed' | 'passkey_added' | 'passkey_removed'

/** Pages that mails link to, other than the security page. */
const PAGES: Partial<Record<SecurityMail, string>> = { otp_failed: paths.securityPassword }

/** Mails the user that an authentication method has changed (security §6.3.7). */
export async function notifyUser(
  deps: TransactionDeps,
  user: User,
  template: SecurityMail,
  from: AnonymousActor,
): Promise<void> {
  const locale = localeOf(user)
  await queueNotice(deps, user, {
    to: user.email,
    locale,
    template,
    values: {
      name: greetingName(user),
      link: `${deps.config.url}${PAGES[template] ?? paths.security}`,
      ...(await mailFacts(deps, locale, from)),
    },
  })
}
