import { type connections, type InputOf, LIMITS, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { findUserForUpdate } from '../../account/public.ts'
import { recordActivity } from '../../activity/public.ts'
import { hasAccess } from '../../client-access/public.ts'
import { findClientForShare, type PublicClient } from '../../clients/public.ts'
import type { Decision, Interaction } from '../../extension-points.ts'
import { findExistingScopesForShare, findRequiredScopes } from '../../scope-catalog/public.ts'
import { lockDeveloperUserOfClient } from '../developer-users.ts'
import { findConnection } from '../public.ts'
import { countUnregistered } from '../store.ts'
import { findInteraction, findOpenScopes, findRequestingClient, unknownScope, validateScopes } from './consent.ts'
import { grantScopes } from './grant-scopes.ts'

/** Submits the decision of the consent screen: grants scopes in addition to those granted before, or denies (api §4.2). */
export async function submitConsent(
  deps: TransactionDeps,
  actor: UserActor,
  input: InputOf<typeof connections.submitConsent>,
) {
  const client = await findRequestingClient(deps.db, input.client)
  const connection = await findConnection(deps.db, actor.user_id, input.client)
  const before = connection?.scopes ?? []
  // In this order: another request can decide between the two reads, but no decision is revoked.
  const interaction = await findInteraction(deps, actor, input)
  if (input.uid !== undefined && !interaction) {
    return { scopes: before, redirect_to: await answerOfSameDecision(deps, actor, input) }
  }
  if (input.deny) return { scopes: before, ...(await finishInteraction(deps, actor, interaction, 'denied')) }

  // Locked, because a change of the name looks for the organizations that have the user: it finds this one, or was made before.
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!user?.email_verified_at) throw problem('email_not_verified')
  if (!connection) await requireRoom(deps, actor, client)
  const chosen = [...new Set(input.scopes)]
  const requested = await findOpenScopes(deps.db, client, interaction)
  await validateScopes(deps.db, chosen, client, interaction && requested)
  const granted = new Set([...before, ...chosen])
  // Granting no scope at all is a denial, which needs `deny`.
  const required = await findRequiredScopes(deps.db, requested)
  if (granted.size === 0 || required.some((key) => !granted.has(key))) {
    throw problem('invalid_request', { fields: { scopes: 'required' } })
  }
  const developerUser = await lockDeveloperUserOfClient(deps, input.client, actor.user_id)
  if (!developerUser) throw problem('not_found')
  if (developerUser.blocked_at) throw problem('user_blocked')
  // Locks the client and the scopes against deletion, because the connection references them.
  if (!(await findClientForShare(deps.db, input.client))) throw problem('not_found')
  // A change of the rule or of a group of it locks the client first, and so finds the connection.
  if (!(await hasAccess(deps.db, input.client, actor.user_id))) throw problem('no_access')
  const existing = await findExistingScopesForShare(deps.db, [...new Set([...chosen, ...requested])])
  const missing = chosen.find((key) => !existing.has(key))
  if (missing !== undefined) throw unknownScope(missing)
  const offered = requested.filter((key) => existing.has(key))
  const scopes = await grantScopes(deps, actor, input.client, { chosen, requested: offered, developerUser })
  return { scopes, ...(await finishInteraction(deps, actor, interaction, 'allowed')) }
}

/** Throws `limit_reached` for one more unregistered client than a user may connect: the server keeps the document of each (decision 0031). */
async function requireRoom({ db }: TransactionDeps, { user_id }: UserActor, { card }: PublicClient): Promise<void> {
  if (card.claimed_name === null) return
  const limit = LIMITS.unregistered_clients_per_person
  if ((await countUnregistered(db, user_id)) >= limit)
    throw problem('limit_reached', { params: { limit, of: 'connections' } })
}

/**
 * Where the browser continues when this session has made the same decision before: it has not received the answer, and sends it again. Throws
 * `not_found` otherwise.
 */
async function answerOfSameDecision(
  { db, interactions }: TransactionDeps,
  actor: UserActor,
  { uid, client, deny }: InputOf<typeof connections.submitConsent>,
): Promise<string> {
  const decided = uid === undefined ? undefined : await interactions.findDecision(db, uid, actor)
  const isSame = decided?.client_id === client && decided.decision === (deny ? 'denied' : 'allowed')
  if (!isSame) throw problem('not_found')
  return decided.redirect_to
}

async function finishInteraction(
  deps: TransactionDeps,
  actor: UserActor,
  interaction: Interaction | undefined,
  decision: Decision,
) {
  if (!interaction) return {}
  const { user_id, session_id } = actor
  const { uid, client_id, request } = interaction
  const { redirect_to, again } = await deps.interactions.finish(deps, { uid, user_id, session_id }, decision)
  if (request && !again) {
    const { id, binding_message } = request
    const type = decision === 'allowed' ? 'ALLOWED_REQUEST_OF_APP' : 'DENIED_REQUEST_OF_APP'
    await recordActivity(deps, { type, user_id, from: actor, session_id, client_id, binding_message })
    await deps.emit('request_answered', { id, user_id })
  }
  return { redirect_to }
}
