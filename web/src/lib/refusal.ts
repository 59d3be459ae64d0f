import type { Answer, ProblemCode } from '@vrata/contract'
import { useI18n } from './i18n.tsx'

type Failed = Extract<Answer<unknown>, { ok: false }>
type I18nNow = ReturnType<typeof useI18n>

/** What a form says about a failed call; `Form` of `ui` takes it as the answer of `onSubmit`. */
export type Refusal = { fields?: Record<string, string>; message?: string }

/** Longer waits are said in minutes. */
const SECONDS_UP_TO = 90

/**
 * The sentences for a failed answer: on the fields that the server names, on the field that a problem belongs to
 * (`homes`), else for the whole form.
 */
export function refusalOf({ t }: Pick<I18nNow, 't'>, failed: Failed, homes: Homes = {}): Refusal {
  const { problem } = failed
  const home = homes[problem.code]
  if (home) return { fields: { [home]: t(`problems.${problem.code}`) } }
  const fields = Object.entries(problem.fields ?? {}).map(
    ([name, code]) => [name, t(`problems.field.${code}`)] as const,
  )
  if (fields.length) return { fields: Object.fromEntries(fields) }
  return { message: sentenceOf({ t }, failed) }
}

/** The field that shows a problem which the server reports for the whole call. */
export type Homes = Partial<Record<ProblemCode, string>>

/** One sentence for a failed answer. Throttling says when to try again; silence is not blamed on the person. */
export function sentenceOf({ t }: Pick<I18nNow, 't'>, { problem, http, retry_after }: Failed): string {
  if (http === 0) return t('ui.no_answer')
  if (problem.code === 'too_many_requests' && retry_after) {
    return retry_after <= SECONDS_UP_TO
      ? t('ui.wait.seconds', { seconds: retry_after })
      : t('ui.wait.minutes', { minutes: Math.ceil(retry_after / 60) })
  }
  return t(`problems.${problem.code}`)
}

/** Both of the above in the language of the page. */
export function useRefusal() {
  const i18n = useI18n()
  return {
    refusal: (failed: Failed, homes?: Homes) => refusalOf(i18n, failed, homes),
    sentence: (failed: Failed) => sentenceOf(i18n, failed),
    /** All of it in one sentence, where there are no fields to say it on. */
    whole(failed: Failed): string {
      const { message, fields = {} } = refusalOf(i18n, failed)
      return message ?? Object.values(fields).join(' ')
    },
  }
}
