import type { ClaimsParameter } from 'oidc-provider'
import type { SessionRow } from '../slices/auth/door.ts'
import { amrOf } from './engine-session.ts'

/** How surely we know who it is (`acr`, OpenID Connect Core §2): by one factor, or by two. A passkey is two by itself. */
export const ACR_VALUES = ['1', '2'] as const
type Acr = (typeof ACR_VALUES)[number]

/** What a session is worth to an app that insists on `wanted`. Two factors contain one. */
export function acrOf(session: Pick<SessionRow, 'methods'>, wanted?: readonly string[]): Acr {
  const reached: Acr = amrOf(session).includes('mfa') ? '2' : '1'
  return wanted && !wanted.includes(reached) && reached > '1' && wanted.includes('1') ? '1' : reached
}

/** The classes of which an app insists on one (OpenID Connect Core §5.5.1.1); what it merely prefers, it will see. */
export function insistedOn(claims: ClaimsParameter): string[] | undefined {
  const { essential, value, values } = claims.id_token?.acr ?? {}
  const wanted = Array.isArray(values) ? values : value === undefined ? [] : [value]
  return essential && wanted.length > 0 ? wanted.map(String) : undefined
}
