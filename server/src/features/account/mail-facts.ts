import type { Locale } from '@vrata/contract'
import { localizedPlace } from '../../adapters/geoip/geoip.ts'
import type { MailFacts } from '../../adapters/mail/mail.ts'
import { toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { AnonymousActor } from '../../http/actors.ts'

/** When, with which device and where a change was made, for the mail about it (security §6.3.7). */
export async function mailFacts(
  { clock, geoip }: Pick<TransactionDeps, 'clock' | 'geoip'>,
  locale: Locale,
  from: AnonymousActor,
): Promise<MailFacts> {
  return {
    at: toTime(clock.now()),
    device: [from.browser, from.os].filter(Boolean).join(', ') || from.ip,
    place: localizedPlace(locale, await geoip.find(from.ip)) ?? 'none',
  }
}
