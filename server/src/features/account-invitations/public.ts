export { isInvited, sendAccountInvitation } from './send-invitation.ts'
