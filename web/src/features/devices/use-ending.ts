import { useQueryClient } from '@tanstack/react-query'
import { auth } from '@vrata/contract'
import type { SessionInfo } from '@vrata/contract/auth'
import { useState } from 'react'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { sessionList } from './data.ts'

/** Ends sessions of mine, and reads the list anew. One that has ended meanwhile is as good. */
export function useEnding(onEnded: () => void, onFailed: (sentence: string) => void) {
  const wires = useWires()
  const queries = useQueryClient()
  const { sentence } = useRefusal()
  const [busy, setBusy] = useState(false)

  async function end(sessions: readonly SessionInfo[]) {
    setBusy(true)
    const answers = await Promise.all(sessions.map(({ id }) => wires.api(auth.logoutSession, { id })))
    const failed = answers.find((answer) => !answer.ok && answer.problem.code !== 'not_found')
    await queries.invalidateQueries({ queryKey: sessionList(wires).queryKey })
    setBusy(false)
    if (failed && !failed.ok) onFailed(sentence(failed))
    else onEnded()
  }

  return { end, busy }
}
