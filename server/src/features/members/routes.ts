/**
 * Members of a developer account and invitations to it. Owns the tables `members` and `invitations`.
 *
 * /developer/members             members and open invitations: list, invite, change level, remove, leave
 * /developer/accept-invitation   describe and accept an invitation by the token of its link
 * /account/invitations           invitations that the signed-in user can accept
 */
import { members } from '@vrata/contract'
import { type RouteHandler, serve } from '../../http/serve.ts'
import { acceptInvitation, answerInvitation, describeInvitation, listInvitations } from './accept-invitation.ts'
import { inviteMember, resendInvitation } from './invite.ts'
import { changeLevel, leaveDeveloper, listMembersAndInvitations, removeMember } from './members.ts'

export const routes: RouteHandler[] = [
  serve(members.listMembers, listMembersAndInvitations),
  serve(members.inviteMember, inviteMember),
  serve(members.resendInvitation, resendInvitation),
  serve(members.changeLevel, changeLevel),
  serve(members.removeMember, removeMember),
  serve(members.leaveDeveloper, leaveDeveloper),
  serve(members.describeInvitation, describeInvitation),
  serve(members.acceptInvitation, acceptInvitation),
  serve(members.listInvitations, listInvitations),
  serve(members.answerInvitation, answerInvitation),
]
