import type { Answer } from '@vrata/contract'
import { useState } from 'react'
import { isUnavailable } from './call-query.ts'

/**
 * What the calls with a link that works once have told of it. `rejected`: it is not valid, or not any more. `unanswered`: a call that
 * consumes it got no answer and may have succeeded, so that a link that is rejected afterwards need not be bad.
 */
export function useMailedLink() {
  const [rejected, setRejected] = useState(false)
  const [unanswered, setUnanswered] = useState(false)

  /** Notes whether the answer rejects the link. */
  async function check<A extends Answer<unknown>>(call: Promise<A>): Promise<A> {
    const answer = await call
    if (!answer.ok && answer.problem.code === 'invalid_token') setRejected(true)
    return answer
  }

  /** The same of a call that consumes the link. */
  async function consume<A extends Answer<unknown>>(call: Promise<A>): Promise<A> {
    const answer = await check(call)
    if (!answer.ok && isUnavailable(answer.http)) setUnanswered(true)
    return answer
  }
  return { rejected, unanswered, check, consume }
}
