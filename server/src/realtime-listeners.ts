import type { activity, developers } from '@vrata/contract'
import type { RealtimeMessage } from './adapters/realtime/realtime.ts'
import type { TransactionDeps } from './deps.ts'
import { listOperatorIds } from './features/operators/public.ts'
import type { Listeners } from './listeners.ts'
import { required } from './revocation/revocations.ts'
import type { Revoker } from './revocation/revoke.ts'

/** Realtime events of open pages (api §7): one message per transaction, after its commit. */
export const realtimeListeners: Listeners = {
  activity_recorded: [
    async (deps, { user_id, type }) => {
      const events = ['activity:created', ...(ALSO[type] ?? [])] as const
      publish(deps, ...events.map((event) => ({ to: `user:${user_id}`, event }) as const))
    },
  ],
  account_changed: [async (deps, { user_id }) => publish(deps, { to: `user:${user_id}`, event: 'account:updated' })],
  pending_email_changed: [
    async (deps, { user_id }) => publish(deps, { to: `user:${user_id}`, event: 'account:updated' }),
  ],
  branding_changed: [async (deps) => publish(deps, { to: 'everybody', event: 'branding:changed' })],
  approval_changed: [
    async (deps, { developer_id, client_id }) => {
      const to = `developer:${developer_id}` as const
      publish(deps, { to, event: 'developer:changed', what: { developer_id } })
      if (client_id) publish(deps, { to, event: 'client:changed', what: { developer_id, client_id } })
      await tellOperators(deps)
    },
  ],
  changed_by_operator: [
    async (deps, { developer_id, client_id }) => {
      const to = `developer:${developer_id}` as const
      if (!client_id) {
        publish(deps, { to, event: 'developer:changed', what: { developer_id } })
        publish(deps, { to, event: 'members:changed', what: { developer_id } })
      }
      publish(deps, { to, event: 'client:changed', what: { developer_id, ...(client_id && { client_id }) } })
    },
  ],
  client_deleted: [tellOperators],
  policy_changed: [async (deps) => publish(deps, { to: 'everybody', event: 'policy:changed' })],
  qr_code_changed: [
    async (deps, { browser_hash }) => publish(deps, { to: `browser:${browser_hash}`, event: 'qr:changed' }),
  ],
  connection_removed: [
    async (deps, { user_id }) => publish(deps, { to: `user:${user_id}`, event: 'connections:changed' }),
  ],
  request_delivered: [async (deps, { user_id }) => publish(deps, { to: `user:${user_id}`, event: 'requests:changed' })],
  request_answered: [async (deps, { user_id }) => publish(deps, { to: `user:${user_id}`, event: 'requests:changed' })],
  developer_activity_recorded: [
    async (deps, { developer_id, type, user_id, client_id }) => {
      const to = `developer:${developer_id}` as const
      // The sockets of a user who created, joined or left an organization join or leave its room.
      if (type === 'CREATED_DEVELOPER' || type === 'JOINED') publish(deps, { rejoin: `user:${user_id}` })
      publish(deps, { to, event: 'developer:changed', what: { developer_id } })
      if (MEMBERS.has(type)) publish(deps, { to, event: 'members:changed', what: { developer_id } })
      if (client_id !== undefined || APPS.has(type))
        publish(deps, { to, event: 'client:changed', what: { developer_id, ...(client_id && { client_id }) } })
    },
  ],
  developer_deleted: [
    async (deps, { developer_id }) => {
      const to = `developer:${developer_id}` as const
      publish(deps, { to, event: 'developer:changed', what: { developer_id } })
      await tellOperators(deps)
    },
  ],
}

/** Organizations or apps that wait for approval may have changed. */
async function tellOperators(deps: TransactionDeps): Promise<void> {
  const ids = await listOperatorIds(deps.db)
  publish(deps, ...ids.map((id) => ({ to: `user:${id}`, event: 'approvals:changed' }) as const))
}

/** Closes the sockets of ended sessions; those of an organization leave the rooms of which their user is not a member. */
export const revokeSockets: Revoker = async (deps, revocation, { session_ids, later }) => {
  if (revocation.effect === 'organization_ends') {
    const developer_id = required(revocation.developer_id, revocation)
    const to = `developer:${developer_id}` as const
    // Only those who remain: the others may not read the members any more.
    publish(deps, { rejoin: to }, { to, event: 'members:changed', what: { developer_id } })
  } else if (later || session_ids.length > 0) {
    const to = `user:${required(revocation.user_id, revocation)}` as const
    publish(deps, later ? { check: to } : { end: session_ids }, { to, event: 'sessions:changed' })
  }
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
  SERVICE_USED_ACCESS: ['connections:changed'],
  OPERATOR_ROLE_CHANGED: ['account:updated'],
  OPERATOR_ENABLED_ACCOUNT: ['account:updated'],
}

/** The end of a membership is a revocation ({@link revokeSockets}). */
const MEMBERS = new Set<developers.DeveloperActivityType>([
  'INVITED_MEMBER',
  'WITHDREW_INVITATION',
  'JOINED',
  'CHANGED_LEVEL',
])
const APPS = new Set<developers.DeveloperActivityType>(['CREATED_APP', 'DELETED_APP'])

/** Collected messages per transaction, by its `after` function. */
const pendingMessages = new WeakMap<TransactionDeps['after'], RealtimeMessage[]>()

/** Publishes messages after the commit of the transaction. */
function publish(deps: TransactionDeps, ...news: RealtimeMessage[]): void {
  const messages = pendingMessages.get(deps.after)
  if (messages) return void messages.push(...news)
  const first = [...news]
  pendingMessages.set(deps.after, first)
  deps.after(() => deps.realtime.publish(first))
}
