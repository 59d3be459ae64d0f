import type { account, branding, clientDiagnostics, OperatorRole, policy, Quotas, system } from '@vrata/contract'
import type { Config } from '../config/config.ts'
import type { Db, Guard, ReadDb } from '../db/open.ts'
import type { UserActor } from '../http/actors.ts'
import type { Clock } from '../lib/clock.ts'

/**
 * Reads and calls that a feature needs of a feature later in the feature order (architecture §3). The later feature
 * implements them in its `public.ts`, and `app.ts` binds them.
 */
export interface ExtensionPoints {
  networkFailures: NetworkFailures
  branding: BrandingSource
  interactions: Interactions
  memberships: Memberships
  secondFactors: SecondFactors
  operatorRoles: OperatorRoles
  clientCards: ClientCards
  developerUserNames: DeveloperUserNames
  liveSessions: LiveSessions
  scopeUsers: ScopeUsers
  signInCounts: SignInCounts
  policy: PolicySource
  invitations: Invitations
  testSignIns: TestSignIns
  frontchannelLogouts: FrontchannelLogouts
  subjects: SubjectIdentifiers
  signingKeys: SigningKeys
  signInDays: SignInDayCounts
  accountDeletions: AccountDeletions
  installation: InstallationState
}

/** Implemented by branding, used by everything that names the installation. Both are as of the last signal. */
/** Wrong passwords and codes of networks, as this process counts them. */
export interface NetworkFailures {
  /** Counts one and returns those of the window of ten minutes, in the order of the calls. */
  count(ip: string): number
  /** Calls `write`, which writes some of those that were counted to the database. */
  writeStep(ip: string, write: () => Promise<void>): Promise<void>
  /** Resolves when those writes of the network that have begun have ended, also by an error. */
  stepsWritten(ip: string): Promise<void>
}

export interface BrandingSource {
  now(): branding.Branding
  /** The part that pages know. The object is the same until the branding changes. */
  public(): branding.PublicBranding
  refresh(): Promise<void>
}

/** Implemented by the feature policy. */
export interface PolicySource {
  /** The policy in force, at most half a second old. */
  find(db: ReadDb): Promise<policy.Policy>
  /**
   * The policy in force, locked for share until the transaction ends: for changes that must not be concurrent with one of the policy, such as
   * the removal of the last way to sign in.
   */
  findForShare(db: Db): Promise<policy.Policy>
  /** Completes what operators have set by the defaults. */
  complete(stored: Partial<Omit<policy.Policy, 'limits'>> & { limits?: Partial<Quotas> }): policy.Policy
}

/** Implemented by members, used by sign-in and developers. */
export interface Invitations {
  /** Addresses by id of the invitation; without those that were deleted. */
  findAddresses(db: ReadDb, developer_id: string, ids: readonly string[]): Promise<Map<string, string>>
  /** Whether the token belongs to an invitation that waits for this address. */
  isInvited(deps: { db: ReadDb; clock: Clock }, token: string, email: string): Promise<boolean>
}

/** Name and icon of a client, for lists. */
export interface ClientCard {
  client_id: string
  name: string
  /** File name of the icon; null without one. */
  icon: string | null
}

/** Implemented by clients, used by activity, sessions and developers. */
export interface ClientCards {
  /** Returns the clients that still exist. */
  find(db: ReadDb, client_ids: string[]): Promise<ClientCard[]>
}

/** Second factors of a user. */
export interface SecondFactorSummary {
  /** ISO time since which two-factor authentication is on; null while it is off. */
  otp_enabled_at: string | null
  /** Number of unused recovery codes. */
  recovery_codes_left: number
  /** Number of passkeys. */
  passkeys: number
}

/** Implemented by security, used by account. */
export interface SecondFactors {
  find(db: ReadDb, user_id: string): Promise<SecondFactorSummary>
}

/** Implemented by operators, used by account, developers and clients. */
export interface OperatorRoles {
  /** Returns null for users who are not operators. */
  find(db: ReadDb, user_id: string): Promise<OperatorRole | null>
  /** Whether the user is an administrator of the installation whose role can be used. */
  isAdmin(deps: { db: ReadDb } & Pick<ExtensionPoints, 'secondFactors'>, user_id: string): Promise<boolean>
}

/** Implemented by users, used by developers. */
export interface DeveloperUserNames {
  /** Returns names, or else email addresses, by user id: only what each user lets the developer account see today. */
  find(db: ReadDb, developer_id: string, user_ids: readonly string[]): Promise<Map<string, string>>
}

/** Implemented by sessions, used by account, activity and security. */
export interface LiveSessions {
  /** Returns the ids of the user's sessions that have not ended. */
  find(db: ReadDb, user_id: string, now: Date): Promise<ReadonlySet<string>>
  /** Throws `unauthenticated` when the session has ended since the call was admitted. */
  require(deps: { db: ReadDb; clock: Clock }, actor: UserActor): Promise<void>
}

/** Implemented by members, used by account, sessions and developers. */
export interface Memberships {
  /** Returns the developer accounts of a user, sorted by name. */
  list(db: ReadDb, user_id: string): Promise<account.DeveloperAccount[]>
}

/** Implemented by the issuer, used by client diagnostics. */
export interface TestSignIns {
  /** Exchanges a code that the actor received for the redirect URI of test sign-ins. Throws `not_found` for other codes. */
  exchange(
    actor: UserActor,
    request: { client_id: string; code: string; code_verifier: string },
  ): Promise<clientDiagnostics.TestSignInResult>
}

/** Implemented by the issuer, used by sessions. */
export interface FrontchannelLogouts {
  /**
   * Prepares the page that signs the browser of a session out of its apps (OpenID Connect Front-Channel Logout), before the
   * session ends. Returns its path, or undefined when no app of the session needs it.
   */
  prepare(deps: { db: Db; config: Config; clock: Clock }, session_id: string): Promise<string | undefined>
}

/** Implemented by clients, used by the issuer and users. */
export interface SubjectIdentifiers {
  /** The `sub` of a user at a client; `sector_identifier` is null for public subjects (OpenID Connect Core §8). */
  of(client: { sector_identifier: string | null }, user_id: string): Promise<string>
}

/** Implemented by the issuer, used by system. Changes open their own transaction, because new keys take time. */
export interface SigningKeys {
  /** Active keys first, then the next ones. Without the keys themselves. */
  list(): Promise<system.SigningKeyInfo[]>
  rotate(actor: UserActor): Promise<void>
  /** Throws `not_found`. */
  revoke(actor: UserActor, kid: string): Promise<void>
}

/** Implemented by privacy, used by sign-in and account invitations. */
export interface AccountDeletions {
  /** Holds while no deletion of the account is scheduled. */
  guard(user_id: string): Guard
  /** When the scheduled deletion of the account was requested; undefined without one. */
  requestedAt(db: ReadDb, user_id: string): Promise<string | undefined>
}

/** Implemented by statistics, used by sign-in and system. */
export interface SignInDayCounts {
  /** Counts a sign-in, after its commit. */
  signedIn(): void
  /** Sign-ins to the installation and rejected ones of the last days (UTC), oldest first. */
  list(db: ReadDb, days: number): Promise<system.Overview['days']>
}

/** Implemented beside `app.ts`, used by system. */
export interface InstallationState {
  read(): Promise<Pick<system.Overview, 'version' | 'database' | 'disk' | 'warnings'>>
}

/** Implemented by statistics, used by clients. */
export interface SignInCounts {
  /** Returns sign-ins of the last seven days by client; a client without sign-ins is left out. */
  lastWeek(db: ReadDb, client_ids: readonly string[], now: Date): Promise<Map<string, number>>
}

/** Implemented by connections, used by scopes. */
export interface ScopeUsers {
  /** Returns how many users have granted the scope to any client, counting at most `limit`. */
  count(db: ReadDb, key: string, limit: number): Promise<number>
  /** Lists up to `limit` connections whose user has granted or declined the scope. */
  list(db: ReadDb, key: string, limit: number): Promise<string[]>
}

/** The user who answers an interaction. */
export type InteractionUser = { user_id: string; session_id: string }

/** An authorization request that waits for its user (an oidc-provider interaction). */
export interface Interaction {
  uid: string
  client_id: string
  /** The session in which the request was received or which signed in for it; null while nobody has signed in. */
  session_id: string | null
  /** Requested scopes. */
  scopes: string[]
  /** Host of the redirect URI, for the consent screen; null when no browser is redirected. */
  redirect_host: string | null
  /** The device that requests authorization, when it is not the browser in which the user answers (RFC 8628). */
  device: { os: string | null; browser: string | null; ip: string; location: string | null; asked_at: string } | null
  /** The request of an app that does not wait in a browser (OpenID Connect CIBA Core). */
  request: {
    id: string
    binding_message: string | null
    asked_at: string
    age: number
    expires_at: string
    expires_in: number
  } | null
}

/** A backchannel authentication request. */
export type WaitingRequest = Interaction & { request: NonNullable<Interaction['request']> }

/** Implemented by the issuer, used by connections. */
export interface Interactions {
  /**
   * Returns the interaction or the device authorization request that is bound to the session, or the backchannel
   * authentication request to the user.
   */
  find(db: ReadDb, uid: string, user: InteractionUser): Promise<Interaction | undefined>
  /** Returns the backchannel authentication requests that wait for the user, newest first. */
  listRequests(db: ReadDb, user_id: string): Promise<WaitingRequest[]>
  /** Returns the client of an interaction. Undefined for a user code, which is too short to be a secret. */
  findClientId(db: ReadDb, uid: string): Promise<string | undefined>
  /**
   * Binds the device authorization request of a user code to a session. Returns `ended` when it has expired, was
   * answered, or is bound to another session that is still signed in.
   */
  openDevice(
    deps: { db: Db; clock: Clock },
    code: string,
    user: { user_id: string; session_id: string },
  ): Promise<Interaction | 'unknown' | 'ended'>
  /**
   * Records the user's decision, once, while the interaction is bound to them; throws `not_found` otherwise.
   */
  finish(
    deps: { db: Db; clock: Clock },
    interaction: InteractionUser & Pick<Interaction, 'uid'>,
    decision: Decision,
  ): Promise<Finished>
  /**
   * Returns the decision that the user has recorded in this session about a device or a backchannel authentication request: the browser may not
   * have received the answer, and sends the decision again.
   */
  findDecision(db: ReadDb, uid: string, user: InteractionUser): Promise<Decided | undefined>
}

export type Decision = 'allowed' | 'denied'

/** `redirect_to`: the address to which the browser continues. `again`: the decision about a backchannel authentication request was recorded before. */
export type Finished = { redirect_to: string; again?: boolean }

export type Decided = { client_id: string; decision: Decision; redirect_to: string }
