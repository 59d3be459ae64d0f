/**
 * Organisations that make apps, and who belongs to them at which level. Owns the tables
 * `developers`, `members` and `invitations`.
 *
 * /developer                     create, read, edit and delete the current one
 * /developer/logo                its picture
 * /developer/activity            what was done in it, by whom
 * /developer/members             who belongs to it, invitations that wait; levels, removing, leaving
 * /developer/accept-invitation   what an invitation is, to whoever has its link; joining by it
 * /account/invitations           those that wait for whoever is signed in
 */
import { developers, invitations, members } from '@vrata/contract'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { acceptInvitation, answerInvitation, describeInvitation, listInvitations } from './accept.ts'
import { createDeveloper, currentDeveloper, deleteDeveloper, updateDeveloper } from './developer.ts'
import { inviteMember, resendInvitation } from './invite.ts'
import { listDeveloperActivity } from './list-activity.ts'
import { removeLogo, setLogo } from './logo.ts'
import { changeLevel, leaveDeveloper, listEverybody, removeMember } from './members.ts'

export const routes: Served[] = [
  serve(developers.createDeveloper, createDeveloper),
  serve(developers.getDeveloper, currentDeveloper),
  serve(developers.updateDeveloper, updateDeveloper),
  serve(developers.deleteDeveloper, deleteDeveloper),
  serveOpen(developers.setLogo, setLogo),
  serve(developers.removeLogo, removeLogo),
  serve(developers.listDeveloperActivity, listDeveloperActivity),
  serve(members.listMembers, listEverybody),
  serve(members.inviteMember, inviteMember),
  serve(members.resendInvitation, resendInvitation),
  serve(members.changeLevel, changeLevel),
  serve(members.removeMember, removeMember),
  serve(members.leaveDeveloper, leaveDeveloper),
  serve(invitations.describeInvitation, describeInvitation),
  serve(invitations.acceptInvitation, acceptInvitation),
  serve(invitations.listInvitations, listInvitations),
  serve(invitations.answerInvitation, answerInvitation),
]
