export { sendPasskeyLink } from './new-passkey.ts'
export { isInvited, sendAccountInvitation } from './send-invitation.ts'
