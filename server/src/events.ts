import type { Deps } from './deps.ts'

/**
 * What a slice tells those that come later in the line (house.md §3): they react inside the same transaction,
 * so that an ended session and its ended tokens are one fact. `app.ts` lists who listens.
 */
export interface Events {
  sessions_ended: { user_id: string; session_ids: string[] }
  connection_removed: { connection_id: string; user_id: string; client_id: string }
  /** Told while its apps still stand. */
  developer_deleted: { developer_id: string }
  client_changed: { client_id: string }
  client_deleted: { client_id: string }
  client_disabled: { client_id: string }
}

export type EventName = keyof Events
export type Listener<N extends EventName> = (deps: Deps, event: Events[N]) => Promise<void>
export type Listeners = { [N in EventName]?: Listener<N>[] }
