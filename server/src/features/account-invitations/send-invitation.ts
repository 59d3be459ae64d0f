import { paths } from '@vrata/contract'
import { queueMail } from '../../adapters/mail/mail.ts'
import type { TransactionDeps } from '../../deps.ts'
import { localeOf, type User } from '../account/public.ts'
import { issueToken } from '../security/public.ts'

/**
 * Mails the link by which the person takes over an account that an operator has created. Former links of the account become
 * void. Returns false when the hourly limit is reached.
 */
export async function sendAccountInvitation(deps: TransactionDeps, user: User): Promise<boolean> {
  const issued = await issueToken(deps, 'accept_account', { user_id: user.id, email: user.email })
  if (!issued) return false
  const { token, expires_at } = issued
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template: 'account_invitation',
    // Without the name: the operator may have mistaken the address.
    values: { name: '', link: `${deps.config.url}${paths.acceptAccount(token)}`, when: expires_at },
    expires_at,
  })
  return true
}

/** Whether the account has not been taken over yet: it has neither a confirmed address nor a way to sign in. */
export function isInvited({ email_verified_at, password_hash }: User): boolean {
  return email_verified_at === null && password_hash === null
}
