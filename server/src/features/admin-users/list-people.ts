import { type AnswerOf, type adminUsers, type InputOf, type OperatorRole, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { decodePosition, encodePosition } from '../../http/pagination.ts'
import { accountSearchWords, findUser } from '../account/public.ts'
import { listActivity } from '../activity/public.ts'
import { listConnectedClients } from '../connections/public.ts'
import { displayName } from '../developers/public.ts'
import { listGroupsOf } from '../groups/public.ts'
import { listSessions } from '../sessions/public.ts'
import { type FactorResetRow, findWaitingReset } from './factor-reset-store.ts'
import { findPeople, listPeople, type PeopleSelection, type PersonRow } from './store.ts'
import { countTerms, listMatches } from './term-store.ts'

/** A whole user id, the `sub` of tokens, is a valid query. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type PeopleInput = InputOf<typeof adminUsers.listAdminUsers>
type PeoplePage = AnswerOf<typeof adminUsers.listAdminUsers>

/** Lists one page of the people of the installation: newest first, or by the word that matches a search (operators §2). */
export async function listAdminUsers(
  deps: Pick<AppDeps, 'db'>,
  _: Pick<OperatorActor, 'locale'>,
  { query = '', status, group, cursor, limit }: PeopleInput,
): Promise<PeoplePage> {
  const isId = ID.test(query)
  const selection = { status, group, ...(isId ? { id: query.toLowerCase() } : {}) }
  const words = isId ? [] : await byFrequency(deps.db, accountSearchWords(query))
  const [rarest] = words
  const texts = words.map(({ word }) => word)
  if (cursor === undefined ? rarest && isReadByTerm(rarest.count, selection) : !ID.test(cursor))
    return await search(deps.db, selection, texts, { cursor, limit })
  const rows = await listPeople(deps.db, { ...selection, words: texts }, { after: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return { data: page.map(toPerson), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/** A word with fewer terms is rare. */
const RARE = 1000

/** The words of a search, the rarest first. */
async function byFrequency(db: ReadDb, words: readonly string[]) {
  const counted = words.map(async (word) => ({ word, count: await countTerms(db, word, RARE) }))
  return (await Promise.all(counted)).sort((a, b) => a.count - b.count)
}

/**
 * Whether the terms are read, and people who are not selected left out. Otherwise the selected people are read, newest first, and
 * skipping those without the words: better where the words are frequent and few people can be selected.
 */
function isReadByTerm(count: number, { status, group }: PeopleSelection): boolean {
  const isNarrow = group !== undefined || (status !== undefined && status !== 'active')
  return count < RARE || !isNarrow
}

/** Reads terms until the page is full. */
async function search(
  db: ReadDb,
  selection: PeopleSelection,
  [word = '', ...others]: string[],
  { cursor, limit }: Pick<PeopleInput, 'cursor' | 'limit'>,
): Promise<PeoplePage> {
  const page: adminUsers.AdminUser[] = []
  let after = cursor === undefined ? undefined : decodePosition(cursor)
  for (;;) {
    const found = await listMatches(db, { word, others }, { after, limit: limit + 1 })
    const ids = found.map(({ user_id }) => user_id)
    const rows = new Map((await findPeople(db, selection, ids)).map((row) => [row.id, row]))
    for (const position of found) {
      const row = rows.get(position.user_id)
      if (row && page.length === limit) return { data: page, next_cursor: after ? encodePosition(after) : null }
      if (row) page.push(toPerson(row))
      after = position
    }
    if (found.length <= limit) return { data: page, next_cursor: null }
  }
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
