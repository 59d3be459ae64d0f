import type { clientDiagnostics, InputOf } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findOwnClient } from '../clients/public.ts'

/** Exchanges the code of a test sign-in of the actor. Opens no transaction, because the issuer commits its own. */
export async function completeTestSignIn(
  deps: AppDeps,
  actor: MemberActor,
  { id, code, code_verifier }: InputOf<typeof clientDiagnostics.completeTestSignIn>,
): Promise<clientDiagnostics.TestSignInResult> {
  const { client_id } = await findOwnClient(deps, actor, id)
  return await deps.testSignIns.exchange(actor, { client_id, code, code_verifier })
}
