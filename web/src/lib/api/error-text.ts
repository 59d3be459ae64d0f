import type { Answer } from '@vrata/contract'
import { useI18n } from '../i18n.tsx'
import { toFormErrors } from './form-errors.ts'

/** All errors of a failed call in one text, where there are no fields. Apart from `useFormErrors`, which /login loads. */
export function useErrorText() {
  const i18n = useI18n()
  return (failed: Extract<Answer<unknown>, { ok: false }>): string => {
    const { message, fields = {} } = toFormErrors(i18n, failed)
    return message ?? Object.values(fields).join(' ')
  }
}
