import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useSetSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { advancedSettings } from '../queries.ts'

/** Applies a change optimistically and reverts it when it fails. Other changes stay, also one whose answer has not arrived. */
export function useUpdateAdvanced({ client_id: id }: ClientInfo) {
  const context = useAppContext()
  const setSaveState = useSetSaveState()
  const { formErrors } = useFormErrors()
  const { queryKey } = advancedSettings(context, id)

  return async (changes: Partial<Advanced>) => {
    const before = context.queries.getQueryData<Advanced>(queryKey)
    if (before) context.queries.setQueryData<Advanced>(queryKey, { ...before, ...changes })
    const names = Object.keys(changes)
    setSaveState(names, 'saving')
    const answer = await context.api(clients.updateAdvanced, { id, ...changes })
    if (answer.ok) context.queries.setQueryData(queryKey, answer.data)
    else if (before) {
      const reverted = Object.fromEntries(names.map((name) => [name, before[name as keyof Advanced]]))
      context.queries.setQueryData<Advanced>(queryKey, (now) => ({ ...before, ...now, ...reverted }))
      // Where the answer alone was lost, the change is saved.
      void context.queries.invalidateQueries({ queryKey })
    }
    setSaveState(names, answer.ok ? 'saved' : 'failed')
    if (answer.ok) return
    const { message, fields = {} } = formErrors(answer, { secret_required: 'require_client_secret' })
    toast(message ?? Object.values(fields).join(' '))
  }
}
