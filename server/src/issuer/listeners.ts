import type { Listeners } from '../events.ts'
import { ISSUER_CHANNEL } from './channel.ts'
import { tellAppOfPerson, tellAppsOfSessions } from './logout-tokens.ts'
import { deleteTokensBy, deleteTokensWith } from './token-store.ts'

/** What ends tokens, in the transaction in which it happens: nothing that an app was given outlives its reason. */
export const issuerListeners: Listeners = {
  sessions_ended: [tellAppsOfSessions, ({ db }, { session_ids }) => deleteTokensBy(db, 'session_id', session_ids)],
  connection_removed: [
    tellAppOfPerson,
    ({ db }, { connection_id }) => deleteTokensBy(db, 'connection_id', [connection_id]),
  ],
  user_blocked: [({ db }, { connection_ids }) => deleteTokensBy(db, 'connection_id', connection_ids)],
  scope_taken_back: [({ db }, { connection_id, key }) => deleteTokensWith(db, connection_id, key)],
  scopes_defined: [({ signals }) => signals.announce(ISSUER_CHANNEL, 'scopes')],
  // Tokens that say them say them no more: what a token is worth is read from what is allowed now (`reads.ts`).
  scopes_removed: [({ signals }) => signals.announce(ISSUER_CHANNEL, 'scopes')],
  client_disabled: [({ db }, { client_id }) => deleteTokensBy(db, 'client_id', [client_id])],
  client_deleted: [({ db }, { client_id }) => deleteTokensBy(db, 'client_id', [client_id])],
}
