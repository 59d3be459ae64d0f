import { toTime } from '../../db/values.ts'
import type { Deps } from '../../deps.ts'
import { queueMail } from '../../ports/mail/mail.ts'
import { localeOf, type User } from '../account/door.ts'

/** What happened to the ways into an account; each mail leads to where its owner takes them back. */
type News = 'otp_on' | 'otp_off' | 'otp_failed' | 'recovery_codes_renewed' | 'passkey_added' | 'passkey_removed'

/** The page of the one thing to do about it: all but guessing needs a look at the whole of it first. */
const PAGES: Partial<Record<News, string>> = { otp_failed: '/security/change-password' }

/** Mails the owner of an account that its ways in have changed (security.md 6.3.7). */
export async function tellOwner(deps: Deps, user: User, template: News): Promise<void> {
  await queueMail(deps, {
    to: user.email,
    locale: localeOf(user),
    template,
    values: {
      name: user.first_name,
      link: `${deps.config.url}${PAGES[template] ?? '/security'}`,
      when: toTime(deps.clock.now()),
    },
  })
}
