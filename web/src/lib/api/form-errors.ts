import type { Answer, ProblemCode } from '@vrata/contract'
import { useI18n } from '../i18n.tsx'

type Failed = Extract<Answer<unknown>, { ok: false }>
type Translator = Pick<ReturnType<typeof useI18n>, 't' | 'find'>

/** Errors of a failed call, as returned from `onSubmit` of `Form`. */
export type FormErrors = { fields?: Record<string, string>; message?: string }

/** Longer waits are given in the next unit. */
const SECONDS_UP_TO = 90
const MINUTES_UP_TO = 90

/**
 * Errors of a failed call: on the fields named by the server, on the field of the problem (`problemFields`), otherwise for the
 * whole form.
 */
export function toFormErrors(translator: Translator, failed: Failed, problemFields: ProblemFields = {}): FormErrors {
  const { problem } = failed
  const field = problemFields[problem.code]
  if (field) return { fields: { [field]: errorMessageOf(translator, failed) } }
  const fields = Object.entries(problem.fields ?? {}).map(
    ([name, code]) => [name, fieldMessage(translator, code)] as const,
  )
  if (fields.length) return { fields: Object.fromEntries(fields) }
  return { message: errorMessageOf(translator, failed) }
}

/** Phrases of field codes. Those of the settings of clients and of pictures come with their pages; other pages do not load them. */
const FIELD_PHRASES = ['problems', 'clients', 'pictures']

function fieldMessage({ t, find }: Translator, code: string): string {
  const [found] = FIELD_PHRASES.flatMap((name) => find(`${name}.field.${code}`) ?? [])
  return found ?? t('problems.field.invalid')
}

/** Phrases of problems. Those of clients and of operators come with their pages. */
const PROBLEM_PHRASES = { problems: '', clients: 'problem.', operators: 'problem.', conflicts: 'problem.' }

/** Field that shows a problem of the whole call. */
export type ProblemFields = Partial<Record<ProblemCode, string>>

/**
 * Message for a failed call. Throttling includes the wait; a missing response is reported as a connection problem. An open
 * page may be older than the server and lack the sentence of a new code.
 */
export function errorMessageOf({ t, find }: Translator, { problem, http, retry_after }: Failed): string {
  if (http === 0) return t('ui.no_answer')
  if (problem.code === 'too_many_requests' && retry_after) {
    if (retry_after <= SECONDS_UP_TO) return t('ui.wait.seconds', { seconds: retry_after })
    const minutes = Math.ceil(retry_after / 60)
    return minutes <= MINUTES_UP_TO
      ? t('ui.wait.minutes', { minutes })
      : t('ui.wait.hours', { hours: Math.ceil(minutes / 60) })
  }
  const [found] = Object.entries(PROBLEM_PHRASES).flatMap(
    ([file, prefix]) => find(`${file}.${prefix}${problem.code}`, problem.params) ?? [],
  )
  return found ?? t('problems.internal')
}

/** The functions above in the current language. */
export function useFormErrors() {
  const i18n = useI18n()
  return {
    formErrors: (failed: Failed, problemFields?: ProblemFields) => toFormErrors(i18n, failed, problemFields),
    errorMessage: (failed: Failed) => errorMessageOf(i18n, failed),
  }
}
