import { type branding, type Locale, paths } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { findSession } from '../../features/sessions/public.ts'
import { plainPage, plainPagePolicy } from '../../http/pages/plain-page.ts'
import { findSignOut } from '../interactions/provider-session.ts'
import { CONFIRM_PATH, SIGNED_OUT_PATH } from '../paths.ts'
import { isRegisteredRedirectUri } from '../provider/clients/registered-redirect-uri.ts'
import { signOutStateOf } from '../provider/compat/compat.ts'
import { insertProviderModel } from '../provider/provider-model-store.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { frontchannelLogoutOf } from './frontchannel-logout.ts'

/**
 * Hook `logoutSource`: the page that asks whether to sign out, so that a client cannot do it without the user (OpenID
 * Connect RP-Initiated Logout §2). It works without script.
 */
export async function logoutSource({ deps, options }: ProviderRequest, ctx: KoaContextWithOIDC): Promise<void> {
  const { locale } = options.visitor()
  const say = translator(locale)
  const app = ctx.oidc.client?.clientName
  const text = app ? say('plain-pages.leave.asked_by', { app }) : say('plain-pages.leave.text')
  sendPage(
    ctx,
    { locale, look: deps.branding.public() },
    say('plain-pages.leave.title'),
    `<p>${escapeHtml(text)}</p>
<form method="post" action="${CONFIRM_PATH}"><input type="hidden" name="xsrf" value="${escapeHtml(signOutStateOf(ctx)?.secret ?? '')}">
<button name="logout" value="yes">${escapeHtml(say('plain-pages.leave.do'))}</button><button>${escapeHtml(say('plain-pages.leave.stay'))}</button></form>`,
  )
}

/** Redirects at once when no user is signed in. */
export function redirectSignedOut(ctx: KoaContextWithOIDC): void {
  const state = signOutStateOf(ctx)
  if (ctx.oidc?.route !== 'end_session' || ctx.status !== 200 || ctx.oidc.session?.accountId || !state) return
  ctx.status = 303
  ctx.redirect(targetOf(state))
}

/** Where the browser continues after a sign-out (OpenID Connect RP-Initiated Logout §3). */
function targetOf({ postLogoutRedirectUri, state }: { postLogoutRedirectUri?: string; state?: string }): string {
  if (!postLogoutRedirectUri) return SIGNED_OUT_PATH
  const target = new URL(postLogoutRedirectUri)
  if (state != null) target.searchParams.set('state', state)
  return target.href
}

/**
 * Where the browser continues that sends the form of a session which has ended: it has not received the answer to the same form, or the user has
 * signed out in another tab. Undefined while anybody is signed in there, and for a form that was not made here.
 */
export async function continueSignedOut(request: ProviderRequest): Promise<string | undefined> {
  const { deps, reads, now } = request
  const asked = await findSignOut(request)
  if (!asked || (await reads.session()) || (await findSession(deps.db, asked.session_id, now))) return undefined
  const { session_id, state } = asked
  // A client without such an address may be identified by a document, which need not be read for this.
  const client = state.postLogoutRedirectUri ? await reads.client(state.clientId ?? '') : undefined
  const uris = client?.enabled ? { type: client.type, redirect_uris: client.post_logout_redirect_uris } : undefined
  const isRegistered = uris && isRegisteredRedirectUri(deps.config, uris, state.postLogoutRedirectUri)
  const target = isRegistered ? targetOf(state) : SIGNED_OUT_PATH
  const prepared = await frontchannelLogoutOf(deps, session_id, target)
  if (prepared) await deps.transaction(({ db }) => insertProviderModel(db, prepared.row))
  return prepared?.path ?? target
}

/**
 * The answer to the question returns only to an address that is still registered by an enabled client (security §19.21). Where the client is disabled
 * meanwhile, or gone, it leads to the page after a sign-out. The session of who stays signed in has no state of the question by now.
 */
export async function checkPostLogoutRedirectUri(ctx: KoaContextWithOIDC, request: ProviderRequest): Promise<void> {
  // After an error, the browser is sent to a path of ours, or not at all.
  const location = ctx.response.get('location')
  if (ctx.oidc?.route !== 'end_session_confirm' || !URL.canParse(location)) return
  const state = signOutStateOf(ctx) ?? (await findSignOut(request))?.state
  const uri = state?.postLogoutRedirectUri
  const { client } = ctx.oidc
  // Without a client that has asked, it is the page after a sign-out already.
  if (!client && location === ctx.oidc.urlFor('end_session_success')) return
  if (!client || (uri && !client.postLogoutRedirectUriAllowed(uri))) ctx.redirect(SIGNED_OUT_PATH)
}

/** After a sign-out the browser first opens the page that signs it out of apps, if there are such apps. */
export async function redirectToFrontchannelLogout(ctx: KoaContextWithOIDC, request: ProviderRequest): Promise<void> {
  if (request.signedOut === undefined) return
  const prepared = await frontchannelLogoutOf(request.deps, request.signedOut, ctx.response.get('location'))
  if (!prepared) return
  request.writes.push(({ db }) => insertProviderModel(db, prepared.row))
  ctx.redirect(prepared.path)
}

/** Hook `postLogoutSuccessSource`: the page after a sign-out without a post-logout redirect URI. */
export async function postLogoutSuccessSource(
  { deps, reads, options }: ProviderRequest,
  ctx: KoaContextWithOIDC,
): Promise<void> {
  if (await reads.session()) {
    ctx.status = 303
    ctx.redirect(paths.login())
    return
  }
  const { locale } = options.visitor()
  const say = translator(locale)
  const again = `<form action="/login"><button value>${escapeHtml(say('sign-in.signin.do'))}</button></form>`
  sendPage(ctx, { locale, look: deps.branding.public() }, say('sign-out.done'), again)
}

/** Without `form-action`, because browsers apply it to the redirect back to the client, too. */
function sendPage(
  ctx: KoaContextWithOIDC,
  around: { locale: Locale; look: branding.PublicBranding },
  title: string,
  content: string,
): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', plainPagePolicy({ look: around.look }))
  ctx.body = plainPage(around, title, content)
}
