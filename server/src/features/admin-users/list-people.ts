import { type AnswerOf, type adminUsers, type InputOf, type OperatorRole, problem } from '@vrata/contract'
import { fromJson } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { accountSearchWords, findUser } from '../account/public.ts'
import { listActivity } from '../activity/public.ts'
import { listConnectedClients } from '../connections/public.ts'
import { displayName } from '../developers/public.ts'
import { listGroupsOf } from '../groups/public.ts'
import { listSessions } from '../sessions/public.ts'
import { type FactorResetRow, findWaitingReset } from './factor-reset-store.ts'
import { listPeople, type PersonRow } from './store.ts'

/** A whole user id, the `sub` of tokens, is a valid query. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Lists one page of the people of the installation, newest first (operators §2). */
export async function listAdminUsers(
  deps: Pick<AppDeps, 'db'>,
  _: Pick<OperatorActor, 'locale'>,
  { query = '', status, group, cursor, limit }: InputOf<typeof adminUsers.listAdminUsers>,
): Promise<AnswerOf<typeof adminUsers.listAdminUsers>> {
  const search = ID.test(query) ? { words: [], id: query.toLowerCase() } : { words: accountSearchWords(query) }
  const rows = await listPeople(deps.db, { ...search, status, group }, { after: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { data: page.map(toPerson), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

function toPerson({ operator_role, ...row }: PersonRow): adminUsers.AdminUser {
  return { ...row, status: statusOf(row), operator_role: operator_role as OperatorRole | null }
}

type StatusColumns = Pick<PersonRow, 'disabled_at' | 'deletion_due_at' | 'email_verified_at'>

function statusOf({ disabled_at, deletion_due_at, email_verified_at }: StatusColumns): adminUsers.UserStatus {
  if (disabled_at !== null) return 'disabled'
  if (deletion_due_at !== null) return 'deleting'
  return email_verified_at === null ? 'unconfirmed' : 'active'
}

type DetailsDeps = Pick<
  AppDeps,
  'db' | 'clock' | 'config' | 'clientCards' | 'liveSessions' | 'memberships' | 'secondFactors'
>

/** Entries of the activity that operators see. */
const ACTIVITIES = 20

/** Returns what operators see of a person. Throws `not_found`. */
export async function getAdminUser(
  deps: DetailsDeps,
  { locale }: Pick<OperatorActor, 'locale'>,
  { id }: InputOf<typeof adminUsers.getAdminUser>,
): Promise<adminUsers.AdminUserDetails> {
  const [row] = await listPeople(deps.db, { words: [], id }, { after: undefined, limit: 1 })
  const user = await findUser(deps.db, id)
  if (!row || !user) throw problem('not_found')
  // No session is that of the operator.
  const reader = { user_id: id, session_id: '', locale }
  const [sessions, connections, organizations, activity, factors, groups, reset] = await Promise.all([
    listSessions(deps, reader),
    listConnectedClients(deps, reader),
    deps.memberships.list(deps.db, id),
    listActivity(deps, reader, { limit: ACTIVITIES }),
    deps.secondFactors.find(deps.db, id),
    listGroupsOf(deps.db, id),
    findWaitingReset(deps.db, id),
  ])
  const { phone_number, birth_date, country_code, pending_email, disabled_at, disabled_reason } = user
  return {
    ...toPerson(row),
    email_verified: user.email_verified_at !== null,
    pending_email,
    phone_number,
    birth_date,
    country_code,
    gender: user.gender as adminUsers.AdminUserDetails['gender'],
    language: fromJson<adminUsers.AdminUserDetails['language']>(user.language),
    disabled: disabled_at === null ? null : { at: disabled_at, reason: disabled_reason ?? '' },
    deletion_due_at: row.deletion_due_at,
    sign_in_methods: {
      password: user.password_hash !== null,
      two_factor: factors.otp_enabled_at !== null,
      recovery_codes_left: factors.recovery_codes_left,
      passkeys: factors.passkeys,
    },
    factor_reset: reset ? await describeReset(deps, reset) : null,
    sessions: sessions.map(({ last_seen, ...session }) => ({ ...session, last_seen })),
    connections: connections.map(({ client, connected_at }) => ({
      client_id: client.client_id,
      name: client.name,
      icon: client.icon,
      connected_at,
    })),
    groups,
    organizations,
    activity: activity.data,
  }
}

async function describeReset(
  deps: Pick<AppDeps, 'db'>,
  { reason, requested_at, due_at, requested_by, requested_by_command }: FactorResetRow,
): Promise<NonNullable<adminUsers.AdminUserDetails['factor_reset']>> {
  const operator = requested_by === null ? undefined : await findUser(deps.db, requested_by)
  const name = requested_by_command ?? (operator && displayName(operator))
  const by = { ...(requested_by === null ? {} : { id: requested_by }), ...(name === undefined ? {} : { name }) }
  return { reason, requested_at, due_at, requested_by: by }
}
