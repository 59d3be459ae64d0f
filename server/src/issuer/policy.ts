import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { Account } from './accounts.ts'
import { acrOf, insistedOn } from './acr.ts'
import { scopesOfClaims } from './claims.ts'
import { isUnassured } from './client-metadata.ts'
import { type NextStep, nextStep } from './next-step.ts'
import { unitOfWork } from './unit-of-work.ts'
import { refuseForeignPopup } from './web-message.ts'

/**
 * What the engine asks before it makes a code. Every answer is `nextStep`'s; the prompts here are only its words in the
 * engine's language, with the error that `prompt=none` gets (OpenID Connect Core §3.1.2.6).
 */
export function policy(): interactionPolicy.Prompt[] {
  const { Prompt, Check } = interactionPolicy
  const needs = (steps: NextStep[], reason: string, error: string) =>
    new Check(reason, 'the person has to do something first', error, async (ctx) => steps.includes(await stepOf(ctx)))
  return [
    new Prompt({ name: 'login', requestable: true }, needs(['login', 'refuse'], 'sign_in', 'login_required')),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt({ name: 'blocked' }, needs(['blocked'], 'user_blocked', 'access_denied')),
    new Prompt({ name: 'verify' }, needs(['verify'], 'email_not_verified', 'interaction_required')),
    new Prompt({ name: 'consent', requestable: true }, needs(['consent', 'deny'], 'not_allowed', 'consent_required')),
  ]
}

async function stepOf(ctx: KoaContextWithOIDC): Promise<NextStep> {
  await refuseForeignPopup(ctx)
  const unit = unitOfWork()
  // On its way back from the dispatcher, which has just asked.
  if (unit.resumed) return unit.resumed.step
  const { oidc } = ctx
  const client_id = oidc.client?.clientId as string
  const session = await unit.session()
  const client = await unit.client(client_id)
  unit.wanted = wantedSub(oidc)
  unit.claimed = claimedScopes(oidc).filter((scope) => client?.scopes.includes(scope))
  unit.acr = insistedOn(oidc.claims)
  if (session && oidc.session) oidc.session.acr = acrOf(session, unit.acr)
  return nextStep({
    request: {
      scopes: [...oidc.requestParamOIDCScopes, ...unit.claimed],
      prompts: oidc.prompts,
      max_age: toSeconds(oidc.params?.max_age),
      sub: unit.wanted,
      acr: unit.acr,
      unassured: !client || isUnassured(client, oidc.params?.redirect_uri),
      asked_at: unit.now,
      decision: undefined,
    },
    session: session && {
      user_id: session.user_id,
      authenticated_at: new Date(session.authenticated_at),
      acr: acrOf(session, unit.acr),
    },
    user: (oidc.account as Account | undefined)?.user,
    connection: session && (await unit.connection(session.user_id, client_id)),
    blocked: await unit.isBlocked(client_id),
    now: unit.now,
  })
}

/** The person whom the app wants: of its `id_token_hint`, or asked for in `claims` (OpenID Connect Core §5.5.1). */
function wantedSub(oidc: KoaContextWithOIDC['oidc']): string | undefined {
  const hint = oidc.entities.IdTokenHint as { payload?: { sub?: string } } | undefined
  const claim = oidc.claims.id_token?.sub as { value?: unknown } | null | undefined
  return hint?.payload?.sub ?? (typeof claim?.value === 'string' ? claim.value : undefined)
}

/** The scopes of the claims that the app names one by one, beyond those it asks for. */
function claimedScopes({ claims, requestParamOIDCScopes }: KoaContextWithOIDC['oidc']): string[] {
  const names = Object.keys({ ...claims.userinfo, ...claims.id_token })
  return scopesOfClaims(names).filter((scope) => !requestParamOIDCScopes.has(scope))
}

export function toSeconds(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : undefined
}
