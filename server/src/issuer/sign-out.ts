import { translator } from '@vrata/phrases'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { sourceHash } from '../edge/source-hash.ts'
import { CONFIRM_PATH, SIGNED_OUT_PATH } from './paths.ts'
import { unitOfWork } from './unit-of-work.ts'

/** What the engine remembers between the question and its answer. */
type SignOutState = { secret: string; postLogoutRedirectUri?: string; state?: string }

/**
 * The page that asks whether to sign out (OpenID Connect RP-Initiated Logout §2): an app must not be able to do that
 * behind a person's back. It works without script.
 */
export async function askWhetherToSignOut(ctx: KoaContextWithOIDC): Promise<void> {
  const { locale } = unitOfWork().start.visitor()
  const say = translator(locale)
  const app = ctx.oidc.client?.clientName
  const text = app ? say('auth.leave.asked_by', { app }) : say('auth.leave.text')
  show(
    ctx,
    locale,
    say('auth.leave.title'),
    `<p>${escaped(text)}</p>
<form method="post" action="${CONFIRM_PATH}"><input type="hidden" name="xsrf" value="${escaped(signOutState(ctx)?.secret ?? '')}">
<button name="logout" value="yes">${escaped(say('auth.leave.do'))}</button><button>${escaped(say('auth.leave.stay'))}</button></form>`,
  )
}

/** Nobody is signed in: there is nothing to ask. */
export function leaveAtOnce(ctx: KoaContextWithOIDC): void {
  const state = signOutState(ctx)
  if (ctx.oidc?.route !== 'end_session' || ctx.status !== 200 || ctx.oidc.session?.accountId || !state) return
  const target = state.postLogoutRedirectUri ? new URL(state.postLogoutRedirectUri) : undefined
  if (target && state.state != null) target.searchParams.set('state', state.state)
  ctx.status = 303
  ctx.redirect(target?.href ?? SIGNED_OUT_PATH)
}

/** No app is waiting for the person, so they are told here that they are out. Whoever stayed signed in is led on. */
export async function afterSignOut(ctx: KoaContextWithOIDC): Promise<void> {
  const unit = unitOfWork()
  if (await unit.session()) {
    ctx.status = 303
    ctx.redirect('/login')
    return
  }
  const { locale } = unit.start.visitor()
  const say = translator(locale)
  const again = `<form action="/login"><button value>${escaped(say('auth.signin.do'))}</button></form>`
  show(ctx, locale, say('auth.logout.done'), again)
}

function signOutState(ctx: KoaContextWithOIDC): SignOutState | undefined {
  return ctx.oidc?.session?.state as SignOutState | undefined
}

/** The look of the public card (web/src/ui/tokens.css), in the little that a page without files needs. */
const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f3f8f7,#071316);--card:light-dark(#fff,#0e1c1f);--ink:light-dark(#0f2224,#ecf1f1);--muted:light-dark(#4d5f61,#a5b3b2);--line:light-dark(#d9e2e1,#233234);--brand:light-dark(#006867,#62d4c9);--on-brand:light-dark(#fff,#001a1e);--focus:light-dark(#10908b,#62d4c9);--arch:light-dark(#004145,#0c4a4c)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--page);color:var(--ink);font:1rem/1.5 Figtree,system-ui,sans-serif}
main{width:100%;max-width:30rem;padding:2.5rem;background:var(--card);border:1px solid var(--line);border-radius:1.75rem;box-shadow:0 8px 24px rgb(7 19 22/.08)}
svg{display:block;margin:0 0 1.25rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em}
p{margin:0 0 1.5rem;color:var(--muted)}
form{display:grid;gap:.75rem}
h1+form{margin-top:1.5rem}
button{min-height:3rem;padding:0 1rem;font:inherit;font-weight:600;border:1px solid var(--line);border-radius:.75rem;background:none;color:inherit;cursor:pointer}
button[value]{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
button:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
@media (max-width:30rem){main{padding:1.75rem 1.5rem}}
`

const MARK =
  '<svg aria-hidden="true" width="40" height="40" viewBox="0 0 28 28"><path d="M3 27V13a11 11 0 0 1 22 0v14z" fill="var(--arch)"/><path d="M6 27V13a8 8 0 0 1 16 0v14z" fill="#f9bb51"/><path d="M6 27V13a8 8 0 0 1 8-8c2.6 1.8 3.5 5 3.5 9V27z" fill="#00807c"/><circle cx="14.6" cy="16.5" r="1" fill="#fff0d0"/></svg>'

/** The theme that the person chose, as all other pages know it (web/build/plan.ts); nothing else here needs a script. */
const SCRIPT =
  'try{const t=localStorage.theme;if(/^(dark|light)$/.test(t))document.documentElement.style.colorScheme=t}catch{}'

/** Without `form-action`: browsers apply it to the redirect back to the app, too. */
const POLICY = [
  "default-src 'none'",
  `style-src ${sourceHash(STYLE)}`,
  `script-src ${sourceHash(SCRIPT)}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function show(ctx: KoaContextWithOIDC, locale: string, title: string, rest: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', POLICY)
  ctx.body = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(title)} · Vrata</title><style>${STYLE}</style><script>${SCRIPT}</script></head>
<body><main>${MARK}<h1>${escaped(title)}</h1>
${rest}</main></body>
</html>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
}
