import { type configuration, type FieldCode, type InputOf, LIMITS, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { findUsersByEmail } from '../account/public.ts'
import { listGroupRows, listMemberAddresses } from '../groups/public.ts'

export type SentGroups = NonNullable<InputOf<typeof configuration.updateConfiguration>['groups']>

interface Member {
  user_id: string
  email: string
}

/** One group as a document changes it. */
export interface GroupPlan {
  key: string
  /** Null for a new group. */
  before: { name: string; description: string } | null
  after: { name: string; description: string }
  added: Member[]
  removed: Member[]
}

/**
 * Compares the groups of a document with those that exist. Throws `invalid_request` for a new group without a name and for members without
 * an account with that confirmed address, and `limit_reached`.
 */
export async function planGroups(db: ReadDb, groups: SentGroups): Promise<GroupPlan[]> {
  const existing = await listGroupRows(db, { matching: '', after: undefined, limit: LIMITS.groups })
  const fields: Record<string, FieldCode> = {}
  const plans: GroupPlan[] = []
  for (const [at, group] of groups.entries()) {
    const before = existing.find(({ key }) => key === group.key) ?? null
    const { key, name = before?.name, description = before?.description ?? '' } = group
    if (name === undefined) fields[`groups.${at}.name`] = 'required'
    const members = await planMembers(db, key, group.members)
    for (const unknown of members.unknown) fields[`groups.${at}.members.${unknown}`] = 'unknown'
    plans.push({ key, before, after: { name: name ?? '', description }, ...members })
  }
  if (Object.keys(fields).length > 0)
    throw problem('invalid_request', { message: 'Some fields are not as they must be.', fields })
  if (existing.length + plans.filter(({ before }) => before === null).length > LIMITS.groups)
    throw problem('limit_reached', { params: { limit: LIMITS.groups, of: 'groups' } })
  return plans
}

/** `unknown` has the places of addresses that cannot become members. Who is a member stays one, with any address. */
async function planMembers(db: ReadDb, key: string, emails: readonly string[] | undefined) {
  if (emails === undefined) return { added: [], removed: [], unknown: [] }
  const members = await listMemberAddresses(db, key)
  const known = new Set(members.map(({ email }) => email))
  const wanted = new Set(emails)
  const users = await findUsersByEmail(
    db,
    [...wanted].filter((email) => !known.has(email)),
  )
  const added = users
    .filter(({ email_verified_at }) => email_verified_at !== null)
    .map(({ id, email }) => ({ user_id: id, email }))
    .sort((a, b) => (a.email < b.email ? -1 : 1))
  const possible = new Set([...known, ...added.map(({ email }) => email)])
  return {
    added,
    removed: members.filter(({ email }) => !wanted.has(email)),
    unknown: emails.flatMap((email, at) => (possible.has(email) ? [] : [at])),
  }
}
