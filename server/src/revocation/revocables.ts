import type { AnonymousActor, UserActor } from '../http/actors.ts'

/**
 * Everything that gives access or remembers a user, with its heading in the documentation. Revoked in this order: QR codes
 * and sessions are locked before connections and tokens (decision 0012).
 */
export const REVOCABLES = {
  /** Sign-ins that wait for a code, and approved QR codes that have not been used: those belong to the session that has approved them. */
  pending_sign_ins: 'Pending sign-ins',
  sessions: 'Sessions',
  sockets: 'Sockets',
  /** Also approved device codes (RFC 8628). */
  authorization_codes: 'Authorization codes',
  refresh_tokens: 'Refresh tokens',
  access_tokens: 'Access tokens',
  /** Authorization requests that wait for their user: the answer given on the consent screen. */
  waiting_requests: 'Waiting requests',
  /** Open requests of apps that do not wait in a browser (OpenID Connect CIBA Core), and allowed ones that are not collected. */
  ciba_requests: 'Requests of apps',
  known_browsers: 'Known browsers',
  passkeys: 'Passkeys',
  second_factor: 'Second factor',
  /** Counters of wrong passwords and codes. */
  throttles: 'Throttles',
  /** Also links that set up a new passkey. */
  reset_links: 'Password links',
  /** Links that confirm a new address, with the pending address itself. */
  confirmation_links: 'Confirmation links',
  /** Removals of second factor and passkeys that an operator has requested and that wait. */
  factor_resets: 'Waiting resets',
  invitations: 'Invitations',
} as const
export type Revocable = keyof typeof REVOCABLES

/** Effect of an event on the revocables of one kind, with its words in the documentation. */
export const EFFECTS = {
  stays: 'stay',
  ends: '**end**',
  others_end: '**others end**',
  session_ends: '**of the session**',
  app_ends: '**of the app**',
  access_ends: '**of the app, without access**',
  organization_ends: '**of the organization**',
  scope_ends: '**with the scope**',
  redirect_uri_ends: '**to the URI**',
  recovery_codes_end: '**recovery codes**',
  one_ends: '**this one**',
  sent_end: '**sent by the member**',
} as const
export type Effect = keyof typeof EFFECTS

/** Effect of an event on each kind of revocable. */
export type RevocationRow = Readonly<Record<Revocable, Effect>>

/** The subject of an event. A revoker uses the members that its effect needs. */
export interface RevocationSubject {
  user_id?: string
  /** The session and browser that stay where others end; null when none stays. */
  keep?: UserActor | null
  /** The browser of the request, which stays known. */
  browser?: AnonymousActor
  session_ids?: readonly string[]
  passkey_id?: string
  connection_ids?: readonly string[]
  client_id?: string
  /** Users that are concerned; without them, all that have lost the client. */
  user_ids?: readonly string[]
  scope?: string
  developer_id?: string
}
