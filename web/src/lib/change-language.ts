import { type Answer, account } from '@vrata/contract'
import type { Locale } from '@vrata/contract/locales'
import { NO_RESPONSE } from './api/no-response.ts'
import type { AppContext } from './app-context.tsx'
import { currentUser, setUser } from './session.ts'

/**
 * Changes the language of the page, the cookie and the account. `languages` are all languages of the user, preferred
 * first; by default the others stay after the new one. Returns what failed, if anything: the phrases are requested, too.
 */
export async function changeLanguage(
  context: AppContext,
  locale: Locale,
  languages?: readonly Locale[],
): Promise<Extract<Answer<unknown>, { ok: false }> | undefined> {
  try {
    await context.showLanguage(locale)
  } catch {
    return { ok: false, problem: NO_RESPONSE.json.error, http: NO_RESPONSE.status }
  }
  const user = currentUser(context)
  if (!user) return
  const language = languages ?? [locale, ...user.language.filter((other) => other !== locale)]
  const answer = await context.api(account.setLanguage, { language: [...language] })
  if (!answer.ok) return answer
  setUser(context, answer.data)
}
