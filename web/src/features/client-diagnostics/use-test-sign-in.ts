import type { TestSignInResult } from '@vrata/contract/client-diagnostics'
import * as clientDiagnostics from '@vrata/contract/client-diagnostics'
import type { ClientInfo } from '@vrata/contract/clients'
import { useEffect, useRef, useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { createTestRequest } from './test-request.ts'
import { waitForAuthorizationResponse } from './test-sign-in-channel.ts'

export type TestSignIn =
  | { step: 'ready' }
  | { step: 'waiting' }
  | { step: 'blocked' }
  /** Without https, where the browser has no digests for PKCE. */
  | { step: 'insecure' }
  /** The call to the API failed. */
  | { step: 'failed'; message: string }
  /** Error response of the authorization endpoint (RFC 6749 §4.1.2.1). */
  | { step: 'refused'; error: string; description: string | undefined }
  | { step: 'done'; result: TestSignInResult }

/** Runs a test sign-in in a window of its own. */
export function useTestSignIn(app: ClientInfo) {
  const { api, queries } = useAppContext()
  const { errorMessage } = useFormErrors()
  const [state, setState] = useState<TestSignIn>({ step: 'ready' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  function stop() {
    running.current?.abort()
    setState({ step: 'ready' })
  }

  async function start() {
    running.current?.abort()
    if (!crypto.subtle) return setState({ step: 'insecure' })
    const controller = new AbortController()
    running.current = controller
    const request = await createTestRequest(app)
    const response = waitForAuthorizationResponse(request.state, controller.signal)
    if (!window.open(request.url, '_blank', 'popup,width=520,height=800')) {
      controller.abort()
      return setState({ step: 'blocked' })
    }
    setState({ step: 'waiting' })
    const { code, error, error_description } = (await response) ?? {}
    if (!controller.signal.aborted) await finish()
    // The request may have been added to the rejected ones.
    await queries.invalidateQueries({ queryKey: [clientDiagnostics.listClientErrors.path] })

    async function finish() {
      if (!code) return setState({ step: 'refused', error: error ?? 'server_error', description: error_description })
      const { code_verifier } = request
      const answer = await api(clientDiagnostics.completeTestSignIn, { id: app.client_id, code, code_verifier })
      if (!controller.signal.aborted)
        setState(
          answer.ok
            ? { step: 'done', result: answer.data }
            : { step: 'failed', message: errorMessage(answer) ?? answer.problem.message },
        )
    }
  }

  return { state, start, stop }
}
