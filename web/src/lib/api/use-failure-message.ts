import { useRef, useState } from 'react'
import { toast } from '../../ui/feedback/toast.ts'
import { useFormErrors } from './form-errors.ts'

type Failed = Parameters<ReturnType<typeof useFormErrors>['errorMessage']>[0]

/** Why an action failed, for the element `place`. When the page was left meanwhile, a toast names the action and says it instead. */
export function useFailureMessage<E extends HTMLElement>() {
  const { errorMessage } = useFormErrors()
  const [message, setMessage] = useState<string>()
  const place = useRef<E>(null)

  function fail(action: string, answer: Failed): void {
    const error = errorMessage(answer)
    if (!place.current) toast(`${action}: ${error}`)
    setMessage(error)
  }

  return { message, place, fail, clear: () => setMessage(undefined) }
}
