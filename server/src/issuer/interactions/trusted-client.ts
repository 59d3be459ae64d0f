import { grantTrusted } from '../../features/connections/public.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { NextStep } from './next-step.ts'

/**
 * The step of an authorization request after a trusted client has got what it asks for: `consent` becomes `done`. The scopes are
 * granted to the user like by the consent page, so that Connected apps lists them. A client that cannot be identified has to
 * ask, because any program could pretend to be it (RFC 8252 §8.6).
 */
export async function withoutConsent(
  request: ProviderRequest,
  step: NextStep,
  { client_id, scopes, unidentified }: { client_id: string; scopes: readonly string[]; unidentified: boolean },
): Promise<NextStep> {
  if (step !== 'consent' || unidentified) return step
  const [client, session] = await Promise.all([request.reads.client(client_id), request.reads.session()])
  if (!client?.trusted || !session) return step
  const { ip, os, browser, request_id } = request.options.visitor()
  const actor = { user_id: session.user_id, session_id: session.id, ip, os, browser, request_id }
  const granted = await request.deps.transaction((deps) => grantTrusted(deps, actor, { client_id, scopes }))
  if (!granted) return step
  request.reads.forgetConnection(session.user_id, client_id)
  return 'done'
}
