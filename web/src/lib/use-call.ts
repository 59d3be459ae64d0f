import { queryOptions } from '@tanstack/react-query'
import type { Answer, CallOf, DataOf, ProblemBody, Route } from '@vrata/contract'
import { useCallback, useState } from 'react'
import { useWires, type Wires } from './wires.tsx'

/** A query's failed answer, as queries can only fail by throwing. Error pages and retries read `problem`. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly problem: ProblemBody
  readonly http: number
  constructor(problem: ProblemBody, http: number) {
    super(problem.message)
    this.problem = problem
    this.http = http
  }
}

/** Whether this status is silence or a breakdown, of which another try may know more, and no refusal. */
export const isSilence = (http: number) => http === 0 || http >= 500

/** The data of an answer, or a throw: for queries and loaders only. */
export function unwrap<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.data
  throw new CallFailed(answer.problem, answer.http)
}

/** Options of a query that reads one route: the same in a loader (`ensureQueryData`) and in a page (`useSuspenseQuery`). */
export function callQuery<R extends Route>({ api }: Pick<Wires, 'api'>, route: R, input: CallOf<R>) {
  return queryOptions({
    queryKey: [route.path, input] as const,
    queryFn: async (): Promise<DataOf<R>> => unwrap(await (api as LooseApi<R>)(route, input)),
  })
}

type LooseApi<R extends Route> = (route: R, input: CallOf<R>) => Promise<Answer<DataOf<R>>>

/** One call that a page makes when somebody presses a button. While `busy`, a second press does nothing. */
export function useCall<R extends Route>(route: R) {
  const { api } = useWires()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ProblemBody | null>(null)
  const run = useCallback(
    async (input: CallOf<R>): Promise<Answer<DataOf<R>>> => {
      setBusy(true)
      setProblem(null)
      const answer = await (api as LooseApi<R>)(route, input)
      setBusy(false)
      if (!answer.ok) setProblem(answer.problem)
      return answer
    },
    [api, route],
  )
  return { run, busy, problem, clear: useCallback(() => setProblem(null), []) }
}
