import { type Level, mayGive, type members } from '@vrata/contract'
import { toTime } from '../../db/values.ts'
import type { User } from '../account/door.ts'
import { nameOf } from './assembly.ts'
import type { InvitationRow } from './invitation-store.ts'

/** What has become of it. It counts only as long as whoever invited may still hand out its level (api.md §5). */
export function stateOf(row: InvitationRow, inviter: Level | null | undefined, now: Date): members.InvitationState {
  if (row.ended_as) return row.ended_as
  if (row.expires_at <= toTime(now)) return 'expired'
  return mayGive(inviter, row.permission as Level) ? 'waiting' : 'void'
}

/** An invitation as it stands in the list of members. */
export function invitationInfo(
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
    invitation: { state, inviter: inviter ? nameOf(inviter) : null, created_at, expires_at },
  }
}
