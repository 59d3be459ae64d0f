import type { Answer } from '@vrata/contract'
import type { AdminUserDetails } from '@vrata/contract/admin-users'
import * as adminUsers from '@vrata/contract/admin-users'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { personQuery } from './people-queries.ts'

/** Returns what a dialog does with the answer of a call that changes a person: shows the person as they are now, or errors. */
export function usePersonChange({ id }: Pick<AdminUserDetails, 'id'>) {
  const { formErrors } = useFormErrors()
  const context = useAppContext()
  const { queryKey } = personQuery(context, id)
  return async (answer: Answer<AdminUserDetails>, sentence: string) => {
    if (!answer.ok) {
      // Another operator, or the person, may have changed what the page shows.
      void context.queries.invalidateQueries({ queryKey })
      return formErrors(answer)
    }
    context.queries.setQueryData(queryKey, answer.data)
    await context.queries.invalidateQueries({ queryKey: [adminUsers.listAdminUsers.path] })
    toast(sentence)
  }
}
