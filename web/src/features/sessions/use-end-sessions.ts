import { useQueryClient } from '@tanstack/react-query'
import { sessions } from '@vrata/contract'
import type { SessionInfo } from '@vrata/contract/sessions'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { focusBesideRow } from '../../ui/layout/row.tsx'
import { sessionList } from './queries.ts'

/** Ends sessions and reloads the list. Sessions that no longer exist count as ended. `onFailed` also clears the last failure. */
export function useEndSessions(onEnded: () => void, onFailed: (sentence: string | undefined) => void) {
  const context = useAppContext()
  const queries = useQueryClient()
  const { errorMessage } = useFormErrors()
  const [busy, setBusy] = useState(false)

  async function end(chosen: readonly SessionInfo[]) {
    const pressed = document.activeElement
    setBusy(true)
    onFailed(undefined)
    const answers = await Promise.all(chosen.map(({ id }) => context.api(sessions.logoutSession, { id })))
    const failed = answers.find((answer) => !answer.ok && answer.problem.code !== 'not_found')
    if (!failed) focusBesideRow(pressed)
    await queries.invalidateQueries({ queryKey: sessionList(context).queryKey })
    setBusy(false)
    if (failed && !failed.ok) onFailed(errorMessage(failed))
    else onEnded()
  }

  return { end, busy }
}
