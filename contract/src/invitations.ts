import { z } from 'zod'
import { developer } from './developers.ts'
import * as f from './fields.ts'
import { INVITATION_STATES } from './members.ts'
import { route } from './route.ts'

const invitation = z.object({
  id: f.id,
  developer: z.object({ name: z.string(), logo: f.picture, website: z.string().nullable() }),
  inviter: z.string().nullable(),
  permission: f.level,
  expires_at: f.time,
})

/** An invitation as whoever it is for sees it. */
export type Invitation = z.output<typeof invitation>

const token = z.object({ token: z.string().min(1).max(200) })

export const describeInvitation = route('GET', '/developer/accept-invitation/:token', {
  summary: 'What an invitation is, to whoever has its link; uses nothing up. The address is told while it waits.',
  needs: 'nobody',
  params: token,
  data: z.object({ ...invitation.shape, state: z.enum(INVITATION_STATES), email: z.string().nullable() }),
  problems: ['invalid_token'],
})

export const acceptInvitation = route('POST', '/developer/accept-invitation/:token', {
  summary: 'Join, once, with the account that holds the invited address, confirmed; it becomes the current account.',
  needs: 'session',
  params: token,
  data: developer,
  problems: ['invalid_token', 'wrong_account', 'email_not_verified', 'already_member'],
})

export const listInvitations = route('GET', '/account/invitations', {
  summary: 'Invitations that wait for the confirmed address of this account, the newest first.',
  needs: 'session',
  data: z.array(invitation),
})

export const answerInvitation = route('POST', '/account/invitations/:id', {
  summary: 'Join by an invitation that waits for this account, or decline it; no link is needed.',
  needs: 'session',
  params: z.object({ id: f.id }),
  body: z.object({ accept: z.boolean() }),
  /** What was joined. */
  data: z.object({ developer: developer.nullable() }),
  problems: ['not_found', 'already_member'],
})
