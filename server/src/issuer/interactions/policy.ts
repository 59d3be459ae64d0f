import { type ClaimsParameter, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { type IssuerClient, mayRequest } from '../../features/clients/public.ts'
import { isUnidentified } from '../provider/clients/client-metadata.ts'
import { idTokenHint, setSessionAcr } from '../provider/compat/compat.ts'
import { withReason } from '../provider/provider-errors.ts'
import { currentRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { Account } from '../tokens/accounts.ts'
import { scopesOfClaims } from '../tokens/claims.ts'
import { acrOf, essentialAcr } from './acr.ts'
import { type NextStep, nextStep } from './next-step.ts'
import { assertPopupTarget } from './web-message.ts'

/**
 * The prompts that oidc-provider checks before it issues a code. `nextStep` decides each; a prompt names the error that
 * `prompt=none` returns for it (OpenID Connect Core §3.1.2.6).
 */
export function interactionPrompts(): interactionPolicy.Prompt[] {
  const { Prompt, Check } = interactionPolicy
  const check = (steps: NextStep[], reason: string, error: string) =>
    new Check(reason, 'the user has to do something first', error, async (ctx) =>
      steps.includes(await stepOf(currentRequest(), ctx)),
    )
  return [
    new Prompt({ name: 'login', requestable: true }, check(['login', 'wrong_user'], 'sign_in', 'login_required')),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt({ name: 'finish' }, check(['finish'], 'sign_in_incomplete', 'interaction_required')),
    new Prompt({ name: 'blocked' }, check(['blocked'], 'user_blocked', 'access_denied')),
    new Prompt({ name: 'verify' }, check(['verify'], 'email_not_verified', 'interaction_required')),
    new Prompt({ name: 'no_access' }, check(['no_access'], 'no_access', 'access_denied')),
    new Prompt({ name: 'consent', requestable: true }, check(['consent', 'deny'], 'not_allowed', 'consent_required')),
  ]
}

/** The next step of the request that oidc-provider handles. */
export async function stepOf(request: ProviderRequest, ctx: KoaContextWithOIDC): Promise<NextStep> {
  await assertPopupTarget(request, ctx)
  const { reads, interaction, now } = request
  // `continueInteraction` has decided.
  if (interaction.resumed) return interaction.resumed.step
  const { oidc } = ctx
  // There would be nothing to allow (RFC 6749 §3.3). Scopes that do not exist are ignored beside others (OpenID Connect Core §3.1.2.1).
  if (oidc.requestParamOIDCScopes.size === 0)
    throw withReason('authorization_request', new errors.InvalidScope('scope names no scope that exists', ''))
  const client_id = oidc.client?.clientId as string
  const session = await reads.session()
  const client = await reads.client(client_id)
  const { sub, scopes, acr } = {
    sub: onlySub(oidc),
    scopes: scopesOfSingleClaims(oidc).filter((scope) => client && mayRequest(client.scopes, scope)),
    acr: essentialAcr(sentClaims(oidc)),
  }
  interaction.requested = { sub, scopes, acr }
  if (session) setSessionAcr(oidc, acrOf(session, acr))
  const step = nextStep({
    request: {
      scopes: [...oidc.requestParamOIDCScopes, ...scopes],
      prompts: oidc.prompts,
      max_age: parseSeconds(oidc.params?.max_age),
      sub,
      acr,
      unidentified: !client || isUnidentified(client, oidc.params?.redirect_uri),
      requested_at: now,
      decision: undefined,
    },
    session: session && {
      sub: client ? await request.deps.subjects.of(client, session.user_id) : session.user_id,
      authenticated_at: new Date(session.authenticated_at),
      acr: acrOf(session, acr),
      incomplete: session.next_step !== null,
    },
    user: (oidc.account as Account | undefined)?.user,
    connection: session && (await reads.connection(session.user_id, client_id)),
    blocked: await reads.isBlocked(client_id),
    access: await reads.hasAccess(client_id),
    now,
  })
  // With a page, it is recorded when the page is shown.
  if (step === 'no_access' && oidc.prompts.has('none'))
    request.clientError.set({ client_id, reason: 'no_access', detail: '' })
  return step
}

/** The scopes of a request, and whether its client cannot be identified. */
export function askedFor({ oidc }: KoaContextWithOIDC, client: IssuerClient) {
  return {
    client_id: client.client_id,
    scopes: [...oidc.requestParamOIDCScopes, ...scopesOfSingleClaims(oidc)],
    unidentified: isUnidentified(client, oidc.params?.redirect_uri),
  }
}

/** The parameter `claims`. In `oidc.claims`, `acr_values`, which is a mere wish, has taken the place of a required `acr` (OpenID Connect Core §5.5.1.1). */
function sentClaims({ params }: KoaContextWithOIDC['oidc']): ClaimsParameter {
  return typeof params?.claims === 'string' ? (JSON.parse(params.claims) as ClaimsParameter) : {}
}

/** The only user that the client accepts. Throws `invalid_request` when hint and `claims` require different ones. */
function onlySub(oidc: KoaContextWithOIDC['oidc']): string | undefined {
  const { sub: hinted } = idTokenHint(oidc)
  const required = requiredSub(oidc.claims)
  if (hinted !== undefined && required !== undefined && hinted !== required)
    throw withReason(
      'authorization_request',
      new errors.InvalidRequest('id_token_hint and sub in claims require different users'),
    )
  return hinted ?? required
}

/** The only user that the client accepts: `sub` in `claims` (OpenID Connect Core §5.5.1). */
export function requiredSub({ id_token }: ClaimsParameter): string | undefined {
  const claim = id_token?.sub as { value?: unknown } | null | undefined
  return typeof claim?.value === 'string' ? claim.value : undefined
}

/** Scopes of the single claims in `claims` that are not requested as scopes. */
function scopesOfSingleClaims({ claims, requestParamOIDCScopes }: KoaContextWithOIDC['oidc']): string[] {
  const names = Object.keys({ ...claims.userinfo, ...claims.id_token })
  return scopesOfClaims(names).filter((scope) => !requestParamOIDCScopes.has(scope))
}

/** `max_age`, in every form in which oidc-provider accepts it, such as `5e2`. It makes 0 to `prompt=login`. */
export function parseSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value ? Number(value) : undefined
  return Number.isSafeInteger(seconds) ? seconds : undefined
}
