import type { Listeners } from '../listeners.ts'
import { enqueueNotification } from './ciba/notify-client.ts'
import { publishEddsaKeys } from './keys/eddsa-in-use.ts'
import { enqueueLogoutOfSessions, enqueueLogoutOfUser } from './logout/backchannel-logout.ts'
import { announceScopes } from './provider/scopes-channel.ts'

/**
 * Notifies clients of sign-outs and answered requests, and other nodes of scopes; publishes keys that an app has chosen;
 * revokes the tokens of a deleted client.
 */
export const issuerListeners: Listeners = {
  sessions_ended: [enqueueLogoutOfSessions],
  connection_removed: [enqueueLogoutOfUser],
  request_answered: [enqueueNotification],
  scopes_defined: [({ signals }, { keys }) => announceScopes(signals, keys)],
  // Tokens stay: their scopes are compared with those that exist and are granted (live-tokens.ts).
  scopes_removed: [({ signals }, { keys }) => announceScopes(signals, keys)],
  client_changed: [publishEddsaKeys],
  // After the connections are locked (decision 0012).
  client_deleted: [async (deps, { client_id }) => void (await deps.revoke('app_deleted', { client_id }))],
}
