import type { Level, Locale, Route } from '@vrata/contract'
import type { CookieJar } from './session-cookie.ts'

/** Somebody at the door: what is known of every request, signed in or not. */
export interface Visitor {
  request_id: string
  ip: string
  os: string | null
  browser: string | null
  /** Negotiated from cookie and browser; mails to a known account follow the account instead. */
  locale: Locale
  cookies: CookieJar
}

/** Somebody signed in. */
export interface Person extends Visitor {
  user_id: string
  session_id: string
  /** Current developer of the session, or null. */
  developer_id: string | null
  /** When they last proved who they are (sign-in or reauthentication). */
  authenticated_at: string
  /**
   * Only a phone has said who this is (QR sign-in). Until they have proven it here themselves, nothing that asks for a
   * fresh sign-in is open (decision 0131).
   */
  vouched: boolean
}

/** Somebody signed in who acts for an organisation, with their level in it. */
export interface Member extends Person {
  developer_id: string
  permission: Level
}

/** Who a rule is handed, by what its route needs. */
export type ActorOf<R extends Route> = R['needs'] extends 'anywhere' | 'nobody'
  ? Visitor
  : R['needs'] extends 'session'
    ? Person
    : Member

/** What the fence learns of a session from the access cookie; handed in by `app.ts` from the slices' doors. */
export interface SessionReads {
  session(access: string): Promise<Omit<Person, keyof Visitor> | undefined>
  level(developer_id: string, user_id: string): Promise<Level | null>
}
