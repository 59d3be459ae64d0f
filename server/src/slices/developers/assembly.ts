import { type Level, problem } from '@vrata/contract'
import type { MembersTable } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { isFresh } from '../../edge/fence.ts'
import type { User } from '../account/door.ts'
import { listMembers, lockDeveloper } from './store.ts'

export type MemberRow = MembersTable & { permission: Level }

export interface Assembly {
  all: MemberRow[]
  /** Of whoever asks, as it is at this moment. */
  own: MemberRow
}

/**
 * Everybody in the organisation, and nobody changes who belongs to it, or at which level, until this transaction has
 * ended. The fence has read the level before: it may have been taken away since, so rules about people go by this one.
 */
export async function assemble(deps: Deps, actor: Member): Promise<Assembly> {
  const there = await lockDeveloper(deps.db, actor.developer_id)
  const all = there ? ((await listMembers(deps.db, actor.developer_id)) as MemberRow[]) : []
  const own = all.find(({ user_id }) => user_id === actor.user_id)
  if (!own) throw problem('no_developer')
  return { all, own }
}

/** §6 An organisation keeps an owner: throws when this member is the last one. */
export function keepAnOwner({ all }: Assembly, leaving: MemberRow): void {
  const owners = all.filter(({ permission }) => permission === 'owner')
  if (owners.length === 1 && owners[0]?.id === leaving.id) throw problem('last_owner')
}

export function tooLow(needed: Level) {
  return problem('insufficient_level', { params: { needed } })
}

/** Whoever owns an organisation can take it from everybody else: a stolen session must not make owners (ASVS 7.5.3). */
export function mustBeFresh(deps: Pick<Deps, 'clock'>, actor: Member, given: Level): void {
  if (given === 'owner' && !isFresh(deps.clock, actor)) throw problem('reauthentication_required')
}

/** How people are called before others: by name, else by user name or address. */
export function nameOf(user: Pick<User, 'first_name' | 'last_name' | 'username' | 'email'>): string {
  return [user.first_name, user.last_name].filter(Boolean).join(' ') || user.username || user.email
}
