import type { activity, developers } from '@vrata/contract'
import type { Deps } from './deps.ts'
import type { Listeners } from './events.ts'
import type { News } from './ports/realtime/realtime.ts'

/** What open pages are told of what happens (api.md §7); one message a transaction, once that has committed. */
export const liveListeners: Listeners = {
  activity_recorded: [
    async (deps, { user_id, type }) => {
      const events = ['activity:created', ...(ALSO[type] ?? [])] as const
      tell(deps, ...events.map((event) => ({ to: `user:${user_id}`, event }) as const))
    },
  ],
  account_changed: [async (deps, { user_id }) => tell(deps, { to: `user:${user_id}`, event: 'account:updated' })],
  pending_email_changed: [async (deps, { user_id }) => tell(deps, { to: `user:${user_id}`, event: 'account:updated' })],
  qr_code_changed: [
    async (deps, { browser_hash }) => tell(deps, { to: `browser:${browser_hash}`, event: 'qr:changed' }),
  ],
  sessions_ended: [
    async (deps, { user_id, session_ids }) =>
      tell(deps, { end: session_ids }, { to: `user:${user_id}`, event: 'sessions:changed' }),
  ],
  connection_removed: [
    async (deps, { user_id }) => tell(deps, { to: `user:${user_id}`, event: 'connections:changed' }),
  ],
  done_in_developer: [
    async (deps, { developer_id, type, user_id, client_id }) => {
      const to = `developer:${developer_id}` as const
      // Whoever founded or joined it hears from it from now on; whoever left hears that, and no more.
      if (type === 'CREATED_DEVELOPER' || type === 'JOINED') tell(deps, { rejoin: `user:${user_id}` })
      tell(deps, { to, event: 'developer:changed', what: { developer_id } })
      if (MEMBERS.has(type)) tell(deps, { to, event: 'members:changed', what: { developer_id } }, { rejoin: to })
      if (client_id !== undefined || APPS.has(type))
        tell(deps, { to, event: 'client:changed', what: { developer_id, ...(client_id && { client_id }) } })
    },
  ],
  developer_deleted: [
    async (deps, { developer_id }) => {
      const to = `developer:${developer_id}` as const
      tell(deps, { to, event: 'developer:changed', what: { developer_id } }, { rejoin: to })
    },
  ],
}

const ALSO: Partial<
  Record<activity.ActivityType, readonly ('account:updated' | 'sessions:changed' | 'connections:changed')[]>
> = {
  LOGGED_IN: ['sessions:changed'],
  CHANGED_PASSWORD: ['account:updated'],
  CHANGED_EMAIL: ['account:updated'],
  ENABLED_OTP: ['account:updated'],
  DISABLED_OTP: ['account:updated'],
  ADDED_PASSKEY: ['account:updated'],
  REMOVED_PASSKEY: ['account:updated'],
  RENEWED_RECOVERY_CODES: ['account:updated'],
  LOGGED_IN_TO_APP: ['connections:changed'],
  GRANTED_SCOPES_TO_APP: ['connections:changed'],
  REVOKED_SCOPES_FROM_APP: ['connections:changed'],
}

const MEMBERS = new Set<developers.DeveloperActivityType>([
  'INVITED_MEMBER',
  'WITHDREW_INVITATION',
  'JOINED',
  'CHANGED_LEVEL',
  'REMOVED_MEMBER',
  'LEFT',
])
const APPS = new Set<developers.DeveloperActivityType>(['CREATED_APP', 'DELETED_APP'])

/** By the transaction (its `after` is its own): several things that happen in one are told at once. */
const waiting = new WeakMap<Deps['after'], News[]>()

/** Tells open pages, once the transaction has committed. */
function tell(deps: Deps, ...news: News[]): void {
  const told = waiting.get(deps.after)
  if (told) return void told.push(...news)
  const first = [...news]
  waiting.set(deps.after, first)
  deps.after(() => deps.realtime.tell(first))
}
