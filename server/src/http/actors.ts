import type { account, Level, Locale, NextStep, OperatorNeed, OperatorRole, Route, system } from '@vrata/contract'
import type { CookieJar } from './cookies.ts'

/**
 * Properties of every request, with or without a session. What is found on first use is a getter of a class, which `...actor` does not
 * copy; because it is declared so, the compiler notices. `actorWith` copies it.
 */
export declare abstract class AnonymousActor {
  request_id: string
  ip: string
  get os(): string | null
  get browser(): string | null
  /** Negotiated from cookie and browser; mails use the language of the account. */
  get locale(): Locale
  cookies: CookieJar
}

/** Actor of the call with which `vrata doctor` tests the proxies. */
export interface ArrivedActor extends AnonymousActor {
  readonly arrival: system.Arrival
}

/** A copy of the actor with other or further properties. */
export function actorWith<A extends AnonymousActor, P extends object>(actor: A, properties: P): Omit<A, keyof P> & P {
  const { os, browser, locale } = actor
  return { ...actor, os, browser, locale, ...properties }
}

/** A signed-in user. */
export interface UserActor extends AnonymousActor {
  user_id: string
  session_id: string
  /** The current developer of the session. */
  developer_id: string | null
  /** Time of the last sign-in or reauthentication. */
  authenticated_at: string
  /** Step that the user must take before the sign-in is complete. */
  next_step: NextStep | null
  /** Signed in with a QR code and not reauthenticated here: calls that need a fresh sign-in are rejected (decision 0023). */
  vouched: boolean
}

/** A signed-in user who acts in a developer account. */
export interface MemberActor extends UserActor {
  developer_id: string
  permission: Level
}

/** A signed-in operator of the installation, with a second factor or passkey. */
export interface OperatorActor extends UserActor {
  role: OperatorRole
}

/** A signed-in user whose user info was read with the session (decision 0097). */
export interface AccountActor extends UserActor {
  user_info: account.UserInfo
}

/**
 * The actor type of a rule, by its route: by `needs`, except for the one call that answers what the session was read with, and the one
 * that describes its request.
 */
export type ActorOf<R extends Route> = R extends typeof account.getAccount
  ? AccountActor
  : R extends typeof system.testProxies
    ? ArrivedActor
    : R['needs'] extends 'anywhere' | 'nobody'
      ? AnonymousActor
      : R['needs'] extends 'session'
        ? UserActor
        : R['needs'] extends OperatorNeed
          ? OperatorActor
          : MemberActor

/** Session reads of the request guards; `app.ts` passes them from the features. */
export interface SessionReads {
  /** The live session of an access cookie, with what `call` answers of it, in one read. */
  session(access: string, call?: Route): Promise<Omit<UserActor, keyof AnonymousActor> | undefined>
  /** Returns the ids whose session is live. */
  live(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The level of a member, and whether operators have approved the organization. */
  membership(developer_id: string, user_id: string): Promise<{ permission: Level; approved: boolean } | undefined>
  /** The role of a user, and whether the account has a second factor or passkey. Undefined for users who are not operators. */
  operator(user_id: string): Promise<{ role: OperatorRole; second_factor: boolean } | undefined>
}
