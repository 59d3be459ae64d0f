import type { ClaimsParameter } from 'oidc-provider'
import type { SessionRow } from '../../features/sessions/public.ts'
import { amrOf } from './provider-session.ts'

/** `acr` values: one factor or two (OpenID Connect Core §2, decision 0068). */
export const ACR_VALUES = ['1', '2'] as const
type Acr = (typeof ACR_VALUES)[number]

/** `acr` of a session for a client that requires one of `essential`. Two factors meet a request for one. */
export function acrOf(session: Pick<SessionRow, 'methods'>, essential?: readonly string[]): Acr {
  const reached: Acr = amrOf(session).includes('mfa') ? '2' : '1'
  return essential && !essential.includes(reached) && reached > '1' && essential.includes('1') ? '1' : reached
}

/** The `acr` values of which one is essential (OpenID Connect Core §5.5.1.1); undefined when none is. */
export function essentialAcr(claims: ClaimsParameter): string[] | undefined {
  const { essential, value, values } = claims.id_token?.acr ?? {}
  const requested = Array.isArray(values) ? values : value === undefined ? [] : [value]
  return essential && requested.length > 0 ? requested.map(String) : undefined
}
