import type { TransactionDeps } from '../deps.ts'
import { incrementTokenGeneration } from '../features/account/public.ts'
import { incrementTokenGenerationOfClient } from '../features/clients/public.ts'
import { batches } from '../lib/batches.ts'
import { REVOCATIONS, type Revocation, type Revoked, required } from '../revocation/revocations.ts'
import type { Revoker } from '../revocation/revoke.ts'
import { enqueueNotification } from './ciba/notify-client.ts'
import { type DeniedRequests, updateCibaRequestsDenied, updateUnseenCibaRequests } from './ciba/store.ts'
import { updateDeviceCodesDenied } from './device/store.ts'
import { deleteDecisionsOfSessions } from './provider/provider-model-store.ts'
import { deleteTokensWithoutAccess } from './tokens/deletion/access-store.ts'
import { deleteTokensOfUserAt } from './tokens/deletion/connection-token-store.ts'
import {
  deleteTokensOfSessions,
  endTokensOfConnections,
  endTokensOfSession,
  endTokensWithScope,
} from './tokens/deletion/end-connection-tokens.ts'
import { endTokensOfClient } from './tokens/deletion/end-tokens.ts'
import { selectConnectionsOfUserForUpdate, type TokenKind } from './tokens/store.ts'

/** Ends authorization codes, and denies approved device codes. */
export const revokeAuthorizationCodes: Revoker = async (deps, revocation, revoked) => {
  await endTokens(deps, ['AuthorizationCode'], revocation, revoked)
  const { db } = deps
  const { effect, user_id, client_id, connection_ids } = revocation
  if (effect === 'session_ends')
    for (const some of batches(revoked.session_ids)) await updateDeviceCodesDenied(db, { session_ids: some })
  else if (effect === 'ends') await updateDeviceCodesDenied(db, { user_id: required(user_id, revocation) })
  else if (effect === 'access_ends' || (effect === 'app_ends' && connection_ids))
    for (const some of batches(connectionsOf(revocation, revoked)))
      await updateDeviceCodesDenied(db, { connection_ids: some })
  else if (effect === 'app_ends') await updateDeviceCodesDenied(db, { client_id: required(client_id, revocation) })
}

/** Ends refresh tokens. */
export const revokeRefreshTokens: Revoker = async (deps, revocation, revoked) => {
  await endTokens(deps, ['RefreshToken'], revocation, revoked)
}

/** Ends access tokens; JWT access tokens, which are not stored, end with their generation. */
export const revokeAccessTokens: Revoker = async (deps, revocation, revoked) => {
  await endTokens(deps, ['AccessToken', 'ClientCredentials'], revocation, revoked)
  const { effect, user_id, client_id, connection_ids } = revocation
  if (effect === 'ends') await incrementTokenGeneration(deps.db, required(user_id, revocation))
  if (effect === 'app_ends' && !connection_ids)
    await incrementTokenGenerationOfClient(deps.db, required(client_id, revocation))
}

/**
 * Deletes the decisions of ended sessions. A waiting request without a decision stays: its browser signs in and asks again. A
 * request to an app that is unlinked, blocked, disabled or deleted is decided by `nextStep` when it continues.
 */
export const revokeWaitingRequests: Revoker = async ({ db }, _, { session_ids }) => {
  for (const some of batches(session_ids)) await deleteDecisionsOfSessions(db, some)
}

/**
 * Denies requests of apps that the user has not answered, or whose tokens the app has not collected, and notifies the app. Each app of a deleted
 * organization is deleted by an event of its own.
 */
export const revokeCibaRequests: Revoker = async (deps, revocation, revoked) => {
  const { effect, user_id, client_id, connection_ids } = revocation
  const deny = async (which: DeniedRequests) => {
    for (const id of await updateCibaRequestsDenied(deps.db, which)) await enqueueNotification(deps, { id })
  }
  if (effect === 'session_ends') for (const some of batches(revoked.session_ids)) await deny({ session_ids: some })
  else if (effect === 'ends') {
    await deny({ user_id: required(user_id, revocation) })
    await updateUnseenCibaRequests(deps.db, required(user_id, revocation))
  } else if (effect === 'access_ends') for (const lost of lostBatches(revocation, revoked)) await deny({ lost })
  else if (effect === 'app_ends' && connection_ids)
    await deny({ user_id: required(user_id, revocation), connection_ids: connectionsOf(revocation, revoked) })
  // An app that is disabled or deleted gets no notifications.
  else if (effect === 'app_ends')
    await updateCibaRequestsDenied(deps.db, { client_id: required(client_id, revocation) })
}

/** Ids of the connections: the new ones of those whose id has changed. */
function connectionsOf(revocation: Revocation, { renewed }: Revoked): string[] {
  return required(revocation.connection_ids, revocation).map((id) => renewed.get(id) ?? id)
}

/** The client, and the connections with it that its rule leaves out now. */
function lostBatches(revocation: Revocation, revoked: Revoked) {
  const client_id = required(revocation.client_id, revocation)
  return batches(connectionsOf(revocation, revoked)).map((some) => ({ client_id, connection_ids: some }))
}

/** Ends the tokens of these kinds. An effect that ends all kinds does so with the first of them, `AuthorizationCode`. */
async function endTokens(
  deps: TransactionDeps,
  kinds: readonly TokenKind[],
  revocation: Revocation,
  { session_ids, later, renewed }: Revoked,
): Promise<void> {
  const { db } = deps
  const { effect, connection_ids, user_id, developer_id } = revocation
  if (effect === 'scope_ends') {
    const scope = required(revocation.scope, revocation)
    for (const connection_id of required(connection_ids, revocation))
      await endTokensWithScope(deps, { connection_id, kinds, scope }, renewed)
    return
  }
  if (!kinds.includes('AuthorizationCode')) {
    if (REVOCATIONS[revocation.event].authorization_codes === effect) return
    throw new Error(`${revocation.event}: tokens end, and codes do not`)
  }
  switch (effect) {
    case 'ends': {
      // A token request that holds a connection finishes first, so that its new tokens end, too.
      const ids = await selectConnectionsOfUserForUpdate(db, required(user_id, revocation))
      if (!later) return await endTokensOfConnections(deps, ids, renewed)
      // Tokens of the other sessions have ended.
      if (revocation.keep) await endTokensOfSession(deps, revocation.keep.session_id, ids, renewed)
      return
    }
    case 'session_ends':
      return await deleteTokensOfSessions(deps, session_ids)
    case 'app_ends':
      if (connection_ids) {
        await endTokensOfConnections(deps, connection_ids, renewed)
        if (user_id && developer_id) await deleteTokensOfUserAt(db, user_id, developer_id)
        return
      }
      await endTokensOfClient(
        deps,
        required(revocation.client_id, revocation),
        revocation.event === 'app_deleted' ? 'deleted' : 'disabled',
      )
      return
    case 'access_ends':
      await endTokensOfConnections(deps, required(connection_ids, revocation), renewed)
      await deleteTokensWithoutAccess(db, required(revocation.client_id, revocation), revocation.user_ids)
      return
    // Each of its apps is deleted by an event of its own.
    case 'organization_ends':
    // A code is redeemed with its redirect URI, which must be registered.
    case 'redirect_uri_ends':
      return
    default:
      throw new Error(`${revocation.event}: tokens have no effect ${effect}`)
  }
}
