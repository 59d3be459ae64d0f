import type { activity, audit, developers, policy } from '@vrata/contract'
import type { AnonymousActor } from './http/actors.ts'

/** The request that has caused something. */
type Origin = Pick<AnonymousActor, 'ip' | 'request_id'>

export type SecurityEvent = { from: Origin } /** Null: sign-ins with a name that nobody has. */ & (
  | { type: 'password_throttled' | 'password_locked'; user_id: string | null }
  | { type: 'codes_throttled' | 'session_replayed' | 'signed_out_elsewhere' | 'signed_out_everywhere'; user_id: string }
  | { type: 'network_throttled'; network: string }
  | { type: 'token_replayed'; user_id: string; client_id: string }
)

/**
 * Events that a feature emits for later features (architecture §3). Listeners run inside the same transaction, so that
 * for example an ended session and its revoked tokens commit together. `app.ts` lists the listeners.
 */
export interface Events {
  /** The address to confirm changed, or is null; links mailed to the previous one become void. */
  pending_email_changed: { user_id: string; email: string | null }
  /** A user signed in; `new_device`: an existing account in an unknown browser. */
  signed_in: { user_id: string; from: AnonymousActor; new_device: boolean; by_qr: boolean }
  /** An activity of the user was recorded. */
  activity_recorded: {
    user_id: string
    type: activity.ActivityType
    /** Null for what no request of the user caused. */
    from: Origin | null
    /** Null when no session of the user did it. */
    session_id: string | null
  }
  /** User info of the account changed. */
  account_changed: { user_id: string }
  /** The user has confirmed an address, which may be another one than before. The user is locked. */
  address_confirmed: { user_id: string }
  /** A developer activity of `user_id` was recorded. */
  developer_activity_recorded: {
    developer_id: string
    user_id: string
    type: developers.DeveloperActivityType
    client_id?: string | undefined
    from: Origin
    params: Readonly<Record<string, string | undefined>>
    /** Id of the member, user or invitation that it concerns. */
    subject_id?: string | undefined
    /** Changed settings: values before and after. */
    changes?: audit.AuditChanges | undefined
  }
  /** Something that may be an attack, or a defence against one. Not successful sign-ins and tokens. */
  security_event: SecurityEvent
  /** Name, colors, pictures, texts or languages of the installation changed. */
  branding_changed: object
  /** An operator has changed the policy of the installation. */
  policy_changed: { before: policy.Policy; after: policy.Policy }
  /** An organization, or with `client_id` an app, waits for approval, is approved or is rejected. */
  approval_changed: { developer_id: string; client_id?: string }
  /** An operator has changed an organization, or with `client_id` an app. */
  changed_by_operator: { developer_id: string; client_id?: string }
  /** A QR code that this browser shows was seen, approved or denied. */
  qr_code_changed: { browser_hash: string }
  /** Emitted before the tokens of the sessions are revoked. */
  sessions_ended: { user_id: string; session_ids: string[] }
  connection_removed: { connection_id: string; user_id: string; client_id: string }
  /** An app asks the user to sign in. */
  request_delivered: { user_id: string }
  /** The user has answered such a request. */
  request_answered: { id: string; user_id: string }
  /** Users were added to a group or taken from it. Emitted after that, and before a deleted group is deleted. */
  group_changed: { key: string; user_ids: readonly string[]; by: 'group_joined' | 'group_left' | 'group_deleted' }
  /** The access rule of the client has changed, for these users or, without them, for all. The client is locked. */
  access_changed: {
    client_id: string
    user_ids?: readonly string[]
    by: 'group_joined' | 'group_left' | 'group_deleted' | 'app_access_changed'
  }
  scopes_defined: { keys: string[] }
  /** Emitted before the scopes are deleted, while their rows are locked against new grants. A job takes those of `later` from connections. */
  scopes_removed: { keys: string[]; later: string[] }
  /** A developer account was created by `user_id`, who becomes its owner. */
  developer_created: { developer_id: string; user_id: string }
  /** Emitted before the developer account and its clients are deleted; without `by` when it ends with the account of its owner. */
  developer_deleted: { developer_id: string; name: string; by?: Origin & { user_id: string } }
  redirect_uri_added: { client_id: string; redirect_uri: string }
  origin_added: { client_id: string; origin: string }
  client_changed: { client_id: string }
  /** Emitted before the client is deleted. */
  client_deleted: { client_id: string }
  /** Emitted before the account is deleted. */
  account_deleted: { user_id: string }
}

export type EventName = keyof Events
