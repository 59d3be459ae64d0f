import { revokeFactorResets } from './features/admin-users/public.ts'
import { revokeInvitations } from './features/members/public.ts'
import * as security from './features/security/public.ts'
import * as sessions from './features/sessions/public.ts'
import * as signIn from './features/sign-in/public.ts'
import * as issuer from './issuer/revokers.ts'
import { revokeSockets } from './realtime-listeners.ts'
import type { Revokers } from './revocation/revoke.ts'

/** Revokers, one for each kind of revocable; the table of revocations names the events. */
export const REVOKERS: Revokers = {
  pending_sign_ins: signIn.revokePendingSignIns,
  sessions: sessions.revokeSessions,
  sockets: revokeSockets,
  authorization_codes: issuer.revokeAuthorizationCodes,
  refresh_tokens: issuer.revokeRefreshTokens,
  access_tokens: issuer.revokeAccessTokens,
  waiting_requests: issuer.revokeWaitingRequests,
  ciba_requests: issuer.revokeCibaRequests,
  known_browsers: sessions.revokeKnownBrowsers,
  passkeys: security.revokePasskeys,
  second_factor: security.revokeSecondFactor,
  throttles: security.revokeThrottles,
  reset_links: security.revokeResetLinks,
  confirmation_links: security.revokeConfirmationLinks,
  factor_resets: revokeFactorResets,
  invitations: revokeInvitations,
}
