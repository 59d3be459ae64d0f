import { queryOptions } from '@tanstack/react-query'
import type { Answer, CallOf, DataOf, ProblemBody, Route } from '@vrata/contract'
import type { AppContext } from '../app-context.tsx'

/** Failed call of a query. Error pages and retries read `problem`. */
export class CallError extends Error {
  override name = 'CallError'
  readonly problem: ProblemBody
  readonly http: number
  constructor(problem: ProblemBody, http: number) {
    super(problem.message)
    this.problem = problem
    this.http = http
  }
}

/** The id of a failed request, which the log of the server has; undefined for other errors. */
export const requestIdOf = (error: unknown) => (error instanceof CallError ? error.problem.request_id : undefined)

/** Whether a status is a network error or a server error, which a retry may solve. */
export const isUnavailable = (http: number) => http === 0 || http >= 500

/** Data of an answer; throws {@link CallError} otherwise. For queries and loaders. */
export function dataOrThrow<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.data
  throw new CallError(answer.problem, answer.http)
}

/** Query options of one call, for loaders (`ensureQueryData`) and pages (`useSuspenseQuery`). */
export function callQuery<R extends Route>({ api }: Pick<AppContext, 'api'>, route: R, input: CallOf<R>) {
  return queryOptions({
    queryKey: [route.path, input] as const,
    queryFn: async (): Promise<DataOf<R>> => dataOrThrow(await (api as LooseApi<R>)(route, input)),
  })
}

/**
 * `staleTime` of lists that others change: read again whenever a page opens, but not by the page for which they have just
 * been read (by the server or by the route), in milliseconds.
 */
export const JUST_READ = 5000

/** The API client without the overloads of each call. */
export type LooseApi<R extends Route> = (route: R, input: CallOf<R>) => Promise<Answer<DataOf<R>>>
