import { paths } from '@vrata/contract'
import { fromJson } from '../../db/values.ts'
import { findUser } from '../../features/account/public.ts'
import { disabledProblem, mayRequest } from '../../features/clients/public.ts'
import { hashToken } from '../../lib/ids.ts'
import { ROUTES } from '../paths.ts'
import { isUnidentified } from '../provider/clients/client-metadata.ts'
import { isRegisteredRedirectUri } from '../provider/clients/registered-redirect-uri.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { findProviderModel, type ProviderModelRow, updateInteractionSession } from '../provider/provider-model-store.ts'
import type { ResumedInteraction } from '../request/interaction-state.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { acrOf } from './acr.ts'
import { type NextStep, nextStep } from './next-step.ts'
import { parseSeconds } from './policy.ts'
import { amrOf } from './provider-session.ts'
import { type InteractionParams, requestedScopes, type StoredInteraction, splitWords } from './stored-interaction.ts'
import { withoutConsent } from './trusted-client.ts'

/** Where the browser continues: on a page of ours, in oidc-provider, or on the error page. */
export type Continuation =
  | { redirect: string }
  | { resume: ResumedInteraction }
  | {
      error: 'request_expired' | 'invalid_client' | ReturnType<typeof disabledProblem> | 'invalid_redirect_uri'
      client_id?: string
    }

/**
 * Decides how `GET /authorize/{uid}` continues. Every page of an interaction returns to that URL, so the next step is
 * decided here only (next-step.ts). The caller has checked the cookie that binds the interaction to the browser; the
 * interaction is bound to the browser's session from now on.
 */
export async function continueInteraction(
  request: ProviderRequest,
  uid: string,
  provider: Pick<CurrentProvider, 'withScopes'>,
): Promise<Continuation> {
  const { deps, reads, now } = request
  const row = await findProviderModel(deps.db, 'Interaction', hashToken(uid), request.nowText)
  if (!row) return { error: 'request_expired' }
  const stored = fromJson<StoredInteraction>(row.payload)
  const { params, requested } = stored
  // The request may be an hour old, so what its client has registered is read again (security §19.21).
  const [client, session] = await Promise.all([reads.currentClient(params.client_id ?? ''), reads.session()])
  if (!client) return { error: 'invalid_client' }
  const { client_id } = client
  if (!client.enabled) return { error: disabledProblem(client), client_id }
  if (!isRegisteredRedirectUri(deps.config, client, params.redirect_uri))
    return { error: 'invalid_redirect_uri', client_id }
  const [user, connection, blocked, access] = await Promise.all([
    session && findUser(deps.db, session.user_id),
    session && reads.connection(session.user_id, client.client_id),
    reads.isBlocked(client.client_id),
    reads.hasAccess(client.client_id),
  ])
  const scopes = requestedScopes(stored).filter((scope) => mayRequest(client.scopes, scope))
  const known = (await provider.withScopes(scopes)).scopes
  const asked = {
    client_id,
    scopes: scopes.filter((scope) => known.has(scope)),
    unidentified: isUnidentified(client, params.redirect_uri),
  }
  const decided = nextStep({
    request: {
      scopes: asked.scopes,
      prompts: new Set(splitWords(params.prompt)),
      max_age: parseSeconds(params.max_age),
      sub: requested.sub,
      acr: requested.acr,
      unidentified: asked.unidentified,
      requested_at: new Date(row.created_at),
      decision: row.session_id === session?.id ? decisionOf(row) : undefined,
    },
    session: session && {
      sub: await deps.subjects.of(client, session.user_id),
      authenticated_at: new Date(session.authenticated_at),
      acr: acrOf(session, requested.acr),
      incomplete: session.next_step !== null,
    },
    user: user && user.disabled_at === null ? { email_verified: user.email_verified_at !== null } : undefined,
    connection,
    blocked,
    access,
    now,
  })
  const step = await withoutConsent(request, decided, asked)
  if (session && row.session_id !== session.id) {
    const { id } = session
    await deps.transaction(({ db }) => updateInteractionSession(db, row.id_hash, id))
  }
  if (isFinalStep(step) && session) {
    const ts = request.toProviderTime(session.authenticated_at)
    const login = { accountId: session.user_id, ts, amr: amrOf(session), acr: acrOf(session, requested.acr) }
    return { resume: { step, login } }
  }
  if (step === 'no_access') await request.options.clientErrors.record({ client_id, reason: 'no_access' })
  return { redirect: pageOf(step, uid, { ...params, scope: asked.scopes.join(' ') }, session !== undefined) }
}

function decisionOf({ decision }: ProviderModelRow): 'allowed' | 'denied' | undefined {
  return decision === 'allowed' || decision === 'denied' ? decision : undefined
}

function isFinalStep(step: NextStep): step is ResumedInteraction['step'] {
  return step === 'done' || step === 'deny' || step === 'wrong_user' || step === 'unmet_acr'
}

function pageOf(step: NextStep, uid: string, params: InteractionParams, signedIn: boolean): string {
  const redirect = `${ROUTES.authorization}/${uid}`
  if (step === 'blocked') {
    return paths.consentError({ error: 'user_blocked', client_id: params.client_id ?? '', uid })
  }
  if (step === 'finish') return paths.finishSignIn(redirect)
  if (step === 'verify') return paths.verify(redirect)
  // The consent page says whom to ask, and goes back to the client.
  if (step === 'consent' || step === 'no_access') {
    return paths.consent({ uid, client_id: params.client_id ?? '', scope: params.scope ?? '' })
  }
  return paths.loginForClient({
    redirect,
    // Without it, the page would redirect a signed-in user back here.
    prompt: signedIn ? 'login' : undefined,
    login_hint: params.login_hint || undefined,
    ui_locales: params.ui_locales || undefined,
  })
}
