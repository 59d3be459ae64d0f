import { incrementTokenGeneration } from '../features/account/public.ts'
import { incrementTokenGenerationOfClient } from '../features/clients/public.ts'
import { batches } from '../lib/batches.ts'
import { type Revocation, type Revoked, required } from '../revocation/revocations.ts'
import type { Revoker } from '../revocation/revoke.ts'
import { updateCibaRequestsDenied } from './ciba/store.ts'
import { updateDeviceCodesDenied } from './device/store.ts'
import { deleteDecisionsOfSessions } from './provider/provider-model-store.ts'
import { deleteTokensWithoutAccess } from './tokens/deletion/access-store.ts'
import { endTokensOfClient } from './tokens/deletion/end-tokens.ts'
import {
  deleteTokensOfConnections,
  deleteTokensOfSessions,
  deleteTokensOfUser,
  deleteTokensOfUserAt,
  deleteTokensWithScope,
  selectConnectionsOfUserForUpdate,
  type TokenKind,
} from './tokens/store.ts'

/** Deletes authorization codes, and denies device codes that a session of the user has approved. */
export const revokeAuthorizationCodes: Revoker = async (deps, revocation, revoked) => {
  await deleteTokens(deps, ['AuthorizationCode'], revocation, revoked)
  const { effect, user_id, client_id } = revocation
  if (effect === 'session_ends')
    for (const some of batches(revoked.session_ids)) await updateDeviceCodesDenied(deps.db, { session_ids: some })
  else if (effect === 'access_ends')
    for (const lost of lostBatches(revocation)) await updateDeviceCodesDenied(deps.db, lost)
  else if (user_id !== undefined && (effect === 'ends' || (effect === 'app_ends' && client_id !== undefined)))
    await updateDeviceCodesDenied(deps.db, { user_id, client_id })
}

export const revokeRefreshTokens: Revoker = async (deps, revocation, revoked) => {
  await deleteTokens(deps, ['RefreshToken'], revocation, revoked)
}

/** Deletes access tokens; JWT access tokens, which are not stored, end with their generation. */
export const revokeAccessTokens: Revoker = async (deps, revocation, revoked) => {
  await deleteTokens(deps, ['AccessToken', 'ClientCredentials'], revocation, revoked)
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
 * Denies requests of apps that the user has not answered, or whose tokens the app has not collected. Each app of a deleted
 * organization is deleted by an event of its own.
 */
export const revokeCibaRequests: Revoker = async ({ db }, revocation, { session_ids }) => {
  const { effect, user_id, client_id, connection_ids } = revocation
  if (effect === 'session_ends')
    for (const some of batches(session_ids)) await updateCibaRequestsDenied(db, { session_ids: some })
  else if (effect === 'ends') await updateCibaRequestsDenied(db, { user_id: required(user_id, revocation) })
  else if (effect === 'access_ends')
    for (const lost of lostBatches(revocation)) await updateCibaRequestsDenied(db, { lost })
  else if (effect === 'app_ends' && connection_ids)
    await updateCibaRequestsDenied(db, { user_id: required(user_id, revocation), connection_ids })
  else if (effect === 'app_ends') await updateCibaRequestsDenied(db, { client_id: required(client_id, revocation) })
}

/** The client, and the connections with it that its rule leaves out now. */
function lostConnections(revocation: Revocation): { client_id: string; connection_ids: readonly string[] } {
  return {
    client_id: required(revocation.client_id, revocation),
    connection_ids: required(revocation.connection_ids, revocation),
  }
}

function lostBatches(revocation: Revocation) {
  const { client_id, connection_ids } = lostConnections(revocation)
  return batches(connection_ids).map((some) => ({ client_id, connection_ids: some }))
}

async function deleteTokens(
  deps: Parameters<Revoker>[0],
  kinds: readonly TokenKind[],
  revocation: Revocation,
  { session_ids, later }: Revoked,
): Promise<void> {
  const { db } = deps
  const { effect, connection_ids } = revocation
  switch (effect) {
    case 'ends': {
      const user_id = required(revocation.user_id, revocation)
      // A token request that holds a connection finishes first, so that its new tokens are deleted, too.
      await selectConnectionsOfUserForUpdate(db, user_id)
      if (!later) return await deleteTokensOfUser(db, kinds, user_id)
      // Those of the other sessions live no longer.
      if (revocation.keep) await deleteTokensOfSessions(db, kinds, [revocation.keep.session_id])
      return
    }
    case 'session_ends':
      for (const some of batches(session_ids)) await deleteTokensOfSessions(db, kinds, some)
      return
    case 'app_ends':
      if (connection_ids) {
        for (const some of batches(connection_ids)) await deleteTokensOfConnections(db, kinds, some)
        const { user_id, developer_id } = revocation
        if (user_id && developer_id) await deleteTokensOfUserAt(db, kinds, user_id, developer_id)
        return
      }
      // All kinds end at once: the first revoker does it, so that the others do not look through a million rows.
      if (kinds.includes('AuthorizationCode'))
        await endTokensOfClient(
          deps,
          required(revocation.client_id, revocation),
          revocation.event === 'app_deleted' ? 'deleted' : 'disabled',
        )
      return
    case 'access_ends': {
      const lost = lostConnections(revocation)
      for (const some of batches(lost.connection_ids)) await deleteTokensOfConnections(db, kinds, some)
      // All kinds at once, because it looks through the tokens of the client.
      if (kinds.includes('AuthorizationCode')) await deleteTokensWithoutAccess(db, lost.client_id, revocation.user_ids)
      return
    }
    case 'scope_ends':
      for (const id of required(connection_ids, revocation))
        await deleteTokensWithScope(db, kinds, id, required(revocation.scope, revocation))
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
