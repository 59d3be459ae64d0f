import { z } from 'zod'
import * as f from './fields.ts'
import { route } from './route.ts'

/**
 * What has become of an invitation. `replaced`: a newer link was made for the same address. `void`: whoever invited may
 * not hand out this level any more.
 */
export const INVITATION_STATES = [
  'waiting',
  'accepted',
  'declined',
  'withdrawn',
  'replaced',
  'expired',
  'void',
] as const
export type InvitationState = (typeof INVITATION_STATES)[number]

export const member = z.object({
  /** Of the membership, or of the invitation. */
  id: f.id,
  /** Of an invitation only the address is told, whether it has an account or not. */
  user: z.object({
    id: f.id.nullable(),
    first_name: z.string(),
    last_name: z.string(),
    username: z.string().nullable(),
    email: z.string(),
    profile_picture: f.picture,
  }),
  permission: f.level,
  joined_at: f.time.nullable(),
  pending: z.boolean(),
  invitation: z
    .object({
      state: z.enum(INVITATION_STATES),
      /** Name of whoever invited, if they still have an account. */
      inviter: z.string().nullable(),
      created_at: f.time,
      expires_at: f.time,
    })
    .optional(),
})
export type MemberInfo = z.output<typeof member>

/** The link is known at this moment only: what is kept of it is a hash. */
const invited = z.object({ ...member.shape, link: z.string() })

export const listMembers = route('GET', '/developer/members', {
  summary: 'Members of the current developer account, highest level first, then invitations that wait.',
  needs: 'member',
  data: z.array(member),
})

export const inviteMember = route('POST', '/developer/members', {
  summary:
    'Invite somebody by mail, for 7 days; answers the link, this once. Up to `developer` as moderator, `moderator` as admin.',
  needs: 'moderator',
  status: 201,
  body: z.object({ email: f.email, permission: f.level.default('member') }),
  data: invited,
  problems: ['already_member', 'already_invited', 'too_many_members', 'reauthentication_required'],
})

export const resendInvitation = route('POST', '/developer/members/:id/resend', {
  summary: 'Mail an invitation anew, for another 7 days; answers its new link, this once. The former link ends.',
  needs: 'moderator',
  params: z.object({ id: f.id }),
  data: invited,
  problems: ['not_found', 'already_member', 'reauthentication_required'],
})

export const changeLevel = route('PUT', '/developer/members/:id', {
  summary:
    'Change the level of a member below your own; owners may change everybody. Making an owner needs a fresh sign-in.',
  needs: 'admin',
  params: z.object({ id: f.id }),
  body: z.object({ permission: f.level }),
  data: member,
  problems: ['not_found', 'last_owner', 'reauthentication_required'],
})

export const removeMember = route('DELETE', '/developer/members/:id', {
  summary: 'Remove a member (admin, below their own level; owners everybody), or withdraw an invitation (moderator).',
  needs: 'moderator',
  params: z.object({ id: f.id }),
  data: f.nothing,
  problems: ['not_found', 'last_owner'],
})

export const leaveDeveloper = route('DELETE', '/developer/leave', {
  summary: 'Leave the current developer account.',
  needs: 'member',
  data: f.nothing,
  problems: ['last_owner'],
})
