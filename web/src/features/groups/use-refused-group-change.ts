import type { Answer } from '@vrata/contract'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { invalidateGroups } from './group-queries.ts'

/** Returns the errors of a refused change. Another operator may have changed or deleted the group meanwhile, so it is read again. */
export function useRefusedGroupChange() {
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  return (answer: Extract<Answer<unknown>, { ok: false }>) => {
    void invalidateGroups(context)
    return formErrors(answer)
  }
}
