import { atLeast, clients, type Level, problem } from '@vrata/contract'
import type { MembersTable } from '../../db/schema.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { requireFreshSignIn } from '../../http/guards/request-guards.ts'
import { findDeveloperForUpdate } from '../developers/public.ts'
import { findUsableLevels, listMembers } from './store.ts'

export type MemberRow = MembersTable & { permission: Level }

export interface LockedMembers {
  all: MemberRow[]
  /** Membership of the actor, as it is now. */
  own: MemberRow
}

/**
 * Locks the developer account and reads its members, so that neither members nor levels change until the transaction
 * ends. The level that the request guard has read may be out of date; rules about members use this one.
 */
export async function lockMembers(deps: TransactionDeps, actor: MemberActor): Promise<LockedMembers> {
  const developer = await findDeveloperForUpdate(deps.db, actor.developer_id)
  const all = developer ? ((await listMembers(deps.db, actor.developer_id)) as MemberRow[]) : []
  const own = all.find(({ user_id }) => user_id === actor.user_id)
  if (!own) throw problem('no_developer')
  return { all, own }
}

/** Throws `last_owner` when the member is the only owner whose account is not disabled (api §5.2). */
export async function requireRemainingOwner(
  { db }: Pick<TransactionDeps, 'db'>,
  { developer_id, user_id, permission }: MemberRow,
): Promise<void> {
  if (permission !== 'owner') return
  const levels = await findUsableLevels(db, developer_id)
  const others = [...levels].filter(([id, level]) => level === 'owner' && id !== user_id)
  if (others.length === 0) throw problem('last_owner')
}

/** The problem of a member who needs a higher level. */
export function insufficientLevel(needed: Level) {
  return problem('insufficient_level', { params: { needed } })
}

/**
 * Granting a level that controls apps requires a fresh sign-in: its holder replaces secrets and adds redirect URIs with a
 * fresh sign-in of their own (security §7.5.3, decision 0061).
 */
export function requireFreshSignInToGrant(
  deps: Pick<TransactionDeps, 'clock'>,
  actor: MemberActor,
  given: Level,
): void {
  if (atLeast(given, clients.regenerateSecret.needs)) requireFreshSignIn(deps, actor)
}

/** Lowering or removing an owner requires a fresh sign-in, so that a stolen session cannot eject the owners. */
export function requireFreshSignInToRemoveOwner(
  deps: Pick<TransactionDeps, 'clock'>,
  actor: MemberActor,
  { permission }: MemberRow,
): void {
  if (permission === 'owner') requireFreshSignIn(deps, actor)
}
