import type { Answer, CallOf, DataOf, Route } from '@vrata/contract'
import { useCallback, useState } from 'react'
import { useAppContext } from '../app-context.tsx'
import type { LooseApi } from './call-query.ts'

/** One call triggered by the user. While `busy`, the button ignores clicks. Apart from the queries, which /login loads. */
export function useBusyCall<R extends Route>(route: R) {
  const { api } = useAppContext()
  const [busy, setBusy] = useState(false)
  const run = useCallback(
    async (input: CallOf<R>): Promise<Answer<DataOf<R>>> => {
      setBusy(true)
      const answer = await (api as LooseApi<R>)(route, input)
      setBusy(false)
      return answer
    },
    [api, route],
  )
  return { run, busy }
}
