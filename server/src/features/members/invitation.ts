import { canGrantLevel, type Level, type members } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { User } from '../account/public.ts'
import { type DeveloperRow, displayName, ownLimits } from '../developers/public.ts'
import type { InvitationRow } from './invitation-store.ts'

/** Returns the state of an invitation. It is void while its inviter may not grant its level, or is disabled (api §5). */
export function invitationState(
  row: InvitationRow,
  inviter: Level | null | undefined,
  now: Date,
): members.InvitationState {
  if (row.ended_as) return row.ended_as
  if (row.expires_at <= toTime(now)) return 'expired'
  return canGrantLevel(inviter, row.permission as Level) ? 'waiting' : 'void'
}

/** How many members and waiting invitations a developer account may have. */
export async function memberLimit(
  deps: Pick<AppDeps, 'db' | 'policy'>,
  developer: DeveloperRow | undefined,
): Promise<number> {
  const { members_per_organization } = (await deps.policy.find(deps.db)).limits
  return (developer && ownLimits(developer).members) ?? members_per_organization
}

/** Converts an invitation to an entry of the member list. */
export function toInvitedMember(
  { id, email, permission, created_at, expires_at }: InvitationRow,
  state: members.InvitationState,
  inviter: User | undefined,
): members.MemberInfo {
  return {
    id,
    user: { id: null, first_name: '', last_name: '', username: null, email, profile_picture: null },
    permission: permission as Level,
    joined_at: null,
    pending: true,
    invitation: { state, inviter: inviter ? displayName(inviter) : null, created_at, expires_at },
  }
}
