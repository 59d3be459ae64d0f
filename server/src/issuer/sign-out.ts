import { createHash } from 'node:crypto'
import { translator } from '@vrata/phrases'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { CONFIRM_PATH } from './paths.ts'
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
  const words = {
    title: say('auth.leave.title'),
    text: app ? say('auth.leave.asked_by', { app }) : say('auth.leave.text'),
    yes: say('auth.leave.do'),
    no: say('auth.leave.stay'),
  }
  ctx.type = 'html'
  ctx.set('content-security-policy', POLICY)
  ctx.body = page(locale, words, signOutState(ctx)?.secret ?? '')
}

/** Nobody is signed in: there is nothing to ask. */
export function leaveAtOnce(ctx: KoaContextWithOIDC): void {
  const state = signOutState(ctx)
  if (ctx.oidc?.route !== 'end_session' || ctx.status !== 200 || ctx.oidc.session?.accountId || !state) return
  const target = state.postLogoutRedirectUri ? new URL(state.postLogoutRedirectUri) : undefined
  if (target && state.state != null) target.searchParams.set('state', state.state)
  ctx.status = 303
  ctx.redirect(target?.href ?? AFTERWARDS)
}

/** No app is waiting for the person. */
export async function afterSignOut(ctx: KoaContextWithOIDC): Promise<void> {
  ctx.status = 303
  ctx.redirect(AFTERWARDS)
}

/** Whoever stayed signed in is led on from there. */
const AFTERWARDS = '/login'

function signOutState(ctx: KoaContextWithOIDC): SignOutState | undefined {
  return ctx.oidc?.session?.state as SignOutState | undefined
}

const STYLE = `
:root{color-scheme:light dark;--paper:#f6f4ef;--card:#fff;--ink:#1d2320;--soft:#59625d;--line:#d9d5cb;--door:#1f5c4a;--on-door:#fff}
@media (prefers-color-scheme:dark){:root{--paper:#141816;--card:#1c211f;--ink:#ecefec;--soft:#a3ada8;--line:#333b37;--door:#7cc4a8;--on-door:#10201a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25}
p{margin:0 0 1.5rem;color:var(--soft)}
form{display:grid;gap:.75rem}
button{min-height:2.75rem;padding:0 1rem;font:inherit;font-weight:600;border:1px solid var(--line);border-radius:.625rem;background:none;color:inherit;cursor:pointer}
button[value]{background:var(--door);border-color:var(--door);color:var(--on-door)}
button:focus-visible{outline:3px solid var(--door);outline-offset:2px}
`

/** Without `form-action`: browsers apply it to the redirect back to the app, too. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function page(locale: string, words: Record<'title' | 'text' | 'yes' | 'no', string>, secret: string): string {
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(words.title)} · Vrata</title><style>${STYLE}</style></head>
<body><main><h1>${escaped(words.title)}</h1><p>${escaped(words.text)}</p>
<form method="post" action="${CONFIRM_PATH}"><input type="hidden" name="xsrf" value="${escaped(secret)}">
<button name="logout" value="yes">${escaped(words.yes)}</button><button>${escaped(words.no)}</button></form></main></body>
</html>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
}
