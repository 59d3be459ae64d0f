import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { developer } from './developers.ts'

/**
 * States of an invitation. `replaced`: there is a newer invitation to the same address. `void`: the inviter may no longer
 * grant the level, or operators have not approved the organization.
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
  /** Id of the membership or of the invitation. */
  id: f.id,
  /** For an invitation only the address, whether it has an account or not. */
  user: z.object({
    id: f.id.nullable(),
    ...f.person,
  }),
  permission: f.level,
  joined_at: f.time.nullable(),
  pending: z.boolean(),
  invitation: z
    .object({
      state: z.enum(INVITATION_STATES),
      /** Name of the inviter; null when the account is deleted. */
      inviter: z.string().nullable(),
      created_at: f.time,
      expires_at: f.time,
    })
    .optional(),
})
export type MemberInfo = z.output<typeof member>

/** The link appears only in this response; the server stores a hash of its token. */
const createdInvitation = z.object({ ...member.shape, link: z.string() })

export const MEMBER_SORTS = ['level', 'name', 'newest'] as const
export type MemberSort = (typeof MEMBER_SORTS)[number]

export const listMembers = route('GET', '/developer/members', {
  summary: 'List the members of the current developer account, highest level first, then open invitations.',
  needs: 'member',
  query: z.object({
    /** Part of the name, user name or address. */
    query: f.line(LIMITS.search_max).optional(),
    permission: f.level.optional(),
    /** Order of the members; invitations come last. */
    sort: z.enum(MEMBER_SORTS).default('level'),
  }),
  data: z.array(member),
})

export const inviteMember = route('POST', '/developer/members', {
  summary:
    'Invite an email address for 7 days; only this answer contains the link. Moderators grant up to `developer`, admins up to `moderator`. Granting `developer` or above requires a fresh sign-in.',
  needs: 'moderator',
  status: 201,
  body: z.object({ email: f.email, permission: f.level.default('member') }),
  data: createdInvitation,
  problems: ['already_member', 'already_invited', 'limit_reached', 'reauthentication_required'],
})

export const resendInvitation = route('POST', '/developer/members/:id/resend', {
  summary:
    'Send an invitation again for 7 days; only this answer contains the new link. The previous link becomes invalid.',
  needs: 'moderator',
  params: z.object({ id: f.id }),
  data: createdInvitation,
  problems: ['not_found', 'already_member', 'limit_reached', 'reauthentication_required'],
})

/** The level on which the decision rests: 409 `already_decided` when it is another by now, unless that is the same decision. */
const seen_permission = f.level.optional()

export const changeLevel = route('PUT', '/developer/members/:id', {
  summary:
    'Change the level of a member below the own level; owners may change every member. Granting `developer` or above, or lowering an owner, requires a fresh sign-in.',
  needs: 'admin',
  params: z.object({ id: f.id }),
  body: z.object({ permission: f.level, seen_permission }),
  data: member,
  problems: ['not_found', 'last_owner', 'reauthentication_required', 'already_decided'],
})

export const removeMember = route('DELETE', '/developer/members/:id', {
  summary:
    'Remove a member (admins: below the own level; owners: every member), or withdraw an invitation (moderators). Removing an owner requires a fresh sign-in.',
  needs: 'moderator',
  unapproved: true,
  params: z.object({ id: f.id }),
  query: z.object({ seen_permission }),
  data: f.nothing,
  problems: ['not_found', 'last_owner', 'reauthentication_required', 'already_decided'],
})

export const leaveDeveloper = route('DELETE', '/developer/leave', {
  summary: 'Leave the current developer account. An owner needs a fresh sign-in.',
  needs: 'member',
  unapproved: true,
  data: f.nothing,
  problems: ['last_owner', 'reauthentication_required'],
})

const invitation = z.object({
  id: f.id,
  developer: z.object({ name: z.string(), logo: f.picture, website: z.string().nullable() }),
  inviter: z.string().nullable(),
  permission: f.level,
  expires_at: f.time,
})

/** An invitation as the invited user sees it. */
export type Invitation = z.output<typeof invitation>

const tokenParams = z.object({ token: z.string().min(1).max(200) })

export const describeInvitation = route('GET', '/developer/accept-invitation/:token', {
  summary:
    'Describe the invitation of a token without consuming it. The address is included while the invitation is waiting.',
  needs: 'nobody',
  params: tokenParams,
  data: z.object({ ...invitation.shape, state: z.enum(INVITATION_STATES), email: z.string().nullable() }),
  problems: ['invalid_token'],
})

export const acceptInvitation = route('POST', '/developer/accept-invitation/:token', {
  summary:
    'Accept an invitation with the account that has the invited, confirmed address. The developer account becomes current.',
  needs: 'session',
  params: tokenParams,
  data: developer,
  problems: [
    'second_factor_required',
    'invalid_token',
    'wrong_account',
    'email_not_verified',
    'already_member',
    'limit_reached',
  ],
})

export const listInvitations = route('GET', '/account/invitations', {
  summary: 'List the waiting invitations to the confirmed address of this account, newest first.',
  needs: 'session',
  data: z.array(invitation),
})

export const answerInvitation = route('POST', '/account/invitations/:id', {
  summary: 'Accept or decline a waiting invitation to this account, without its token.',
  needs: 'session',
  params: z.object({ id: f.id }),
  body: z.object({ accept: z.boolean() }),
  /** The joined developer account; null after declining. */
  data: z.object({ developer: developer.nullable() }),
  problems: ['second_factor_required', 'not_found', 'already_member', 'limit_reached'],
})
