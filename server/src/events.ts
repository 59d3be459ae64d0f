import type { activity, developers } from '@vrata/contract'
import type { Deps } from './deps.ts'
import type { Person, Visitor } from './edge/actors.ts'

/**
 * What a slice tells those that come later in the line (house.md §3): they react inside the same transaction,
 * so that an ended session and its ended tokens are one fact. `app.ts` lists who listens.
 */
export interface Events {
  /** An address waits to be confirmed, or (null) none does any more; what was mailed for the former one is void. */
  pending_email_changed: { user_id: string; email: string | null }
  /** A new password was chosen; every session must end but that of `keep`, whose cookies are made anew. */
  password_changed: { user_id: string; keep: Person | null }
  /** Two-factor authentication was turned on or off; every session must end but that of `keep`, whose cookies are made anew. */
  second_factor_changed: { user_id: string; keep: Person }
  /** Somebody came in with what proves who they are; `new_device`: in a browser that the account does not know, though it is not new itself. */
  signed_in: { user_id: string; from: Visitor; new_device: boolean; by_qr: boolean }
  /** Something was written down in somebody's activity. */
  activity_recorded: { user_id: string; type: activity.ActivityType }
  /** What the account says about its person is another. */
  account_changed: { user_id: string }
  /** Somebody (`user_id`) did something in an organisation. */
  done_in_developer: {
    developer_id: string
    user_id: string
    type: developers.DeveloperActivityType
    client_id?: string | undefined
  }
  /** A QR code that this browser shows was seen, approved or denied. */
  qr_code_changed: { browser_hash: string }
  sessions_ended: { user_id: string; session_ids: string[] }
  connection_removed: { connection_id: string; user_id: string; client_id: string }
  /** An organisation lets somebody into none of its apps any more; what they allowed stays. */
  user_blocked: { user_id: string; connection_ids: string[] }
  scope_taken_back: { connection_id: string; key: string }
  scopes_defined: { keys: string[] }
  /** Told while they still stand, held so that nobody can be given them meanwhile. */
  scopes_removed: { keys: string[] }
  /** Told while its apps still stand. */
  developer_deleted: { developer_id: string }
  client_changed: { client_id: string }
  client_deleted: { client_id: string }
  client_disabled: { client_id: string }
}

export type EventName = keyof Events
export type Listener<N extends EventName> = (deps: Deps, event: Events[N]) => Promise<void>
export type Listeners = { [N in EventName]?: Listener<N>[] }
