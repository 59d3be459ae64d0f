import type { MailInfo } from '@vrata/contract/system'
import * as system from '@vrata/contract/system'
import type { AppContext } from './app-context.tsx'

/** Milliseconds between two questions, and their number: a mail server takes a few seconds at most. */
const PAUSE = 700
const QUESTIONS = 12

/** Waits for the first attempt at a mail. `queued`: there was none within some seconds. */
export async function outcomeOfMail(
  { api }: Pick<AppContext, 'api'>,
  mail: MailInfo,
): Promise<{ outcome: 'sent' | 'waiting' | 'failed' | 'queued'; error: string }> {
  for (let question = 0; question < QUESTIONS; question += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const answer = await api(system.getMail, { id: mail.id })
    if (!answer.ok) continue
    const { state, error } = answer.data
    if (state !== 'waiting' || error !== null) return { outcome: state, error: error ?? '' }
  }
  return { outcome: 'queued', error: '' }
}
