import { type branding, brandingStyle, type Locale } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import { cspHash } from './csp-hash.ts'
import { iconLink } from './html-document.ts'

/** The style of public pages (web/src/ui/tokens.css), for a page without other files. */
const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f3f8f7,#071316);--card:light-dark(#fff,#0e1c1f);--ink:light-dark(#0f2224,#ecf1f1);--muted:light-dark(#4d5f61,#a5b3b2);--line:light-dark(#d9e2e1,#233234);--brand:light-dark(#006867,#62d4c9);--on-brand:light-dark(#fff,#001a1e);--focus:light-dark(#10908b,#62d4c9);--danger:light-dark(#ffeae9,#451e1d);--mark:light-dark(#004145,#0c4a4c)}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--page);color:var(--ink);font:1rem/1.5 Figtree,system-ui,sans-serif}
main{width:100%;max-width:30rem;padding:2.5rem;background:var(--card);border:1px solid var(--line);border-radius:1.75rem;box-shadow:0 8px 24px rgb(7 19 22/.08)}
svg{display:block;margin:0 0 1.25rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em}
p{margin:0 0 1.5rem;color:var(--muted);overflow-wrap:anywhere}
form{display:grid;gap:.75rem}
h1+form{margin-top:1.5rem}
button{min-height:3rem;padding:0 1rem;font:inherit;font-weight:600;border:1px solid var(--line);border-radius:.75rem;background:none;color:inherit;cursor:pointer}
button[value]{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
/* In sight at every height of the window; the first button is the right one, and the one that Enter presses. */
.decision{position:sticky;bottom:0;display:flex;flex-direction:row-reverse;gap:.75rem;margin:0 -2.5rem -2.5rem;padding:1rem 2.5rem;border-top:1px solid var(--line);border-radius:0 0 1.75rem 1.75rem;background:var(--card)}
.decision button{flex:1 1 0}
button:focus-visible,input:focus-visible,a:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
fieldset{margin:0 0 1.5rem;padding:0;border:0}
legend{margin-bottom:.5rem;padding:0;font-weight:600}
label{display:flex;gap:.75rem;padding:.75rem 0;border-top:1px solid var(--line)}
label span{color:var(--muted)}
label b{color:var(--ink)}
input[type=checkbox]{flex:none;width:1.25rem;height:1.25rem;margin:.125rem 0;accent-color:var(--brand)}
p[role=alert]{padding:.75rem 1rem;border-radius:.75rem;background:var(--danger);color:var(--ink);font-weight:500}
a{color:var(--brand);font-weight:600}
footer{margin-top:1.5rem;display:flex;gap:1rem}
footer a{color:var(--muted);font-weight:400}
@media (max-width:30rem){main{padding:1.75rem 1.5rem}.decision{margin:0 -1.5rem -1.75rem;padding:1rem 1.5rem}}
`

const MARK =
  '<svg aria-hidden="true" class="logo" width="40" height="40" viewBox="0 0 28 28"><path d="M3 27V13a11 11 0 0 1 22 0v14z" fill="var(--mark)"/><path d="M6 27V13a8 8 0 0 1 16 0v14z" fill="#f9bb51"/><path d="M6 27V13a8 8 0 0 1 8-8c2.6 1.8 3.5 5 3.5 9V27z" fill="#00807c"/><circle cx="14.6" cy="16.5" r="1" fill="#fff0d0"/></svg>'

/** Applies the color theme that the user has chosen (web/build/page-plan.ts). */
const SCRIPT =
  'try{const t=localStorage.theme;if(/^(dark|light)$/.test(t))document.documentElement.style.colorScheme=t}catch{}'

/** Parts of a plain page besides texts and forms. */
type PlainPageContent = {
  /** Browsers apply `form-action` to redirects after a submission, too. */
  formAction?: "'self'"
  /** Inline scripts of `head`. */
  scripts?: readonly string[]
  /** Sources of frames. */
  frames?: readonly string[]
  /** Branding of the installation. */
  look?: branding.PublicBranding
}

/** The policy of a plain page. */
export function plainPagePolicy({ formAction, scripts = [], frames = [], look = {} }: PlainPageContent = {}): string {
  const style = brandingStyle(look, STYLE_OPTIONS)
  return [
    "default-src 'none'",
    `style-src ${cspHash(STYLE)}${style && ` ${cspHash(style)}`}`,
    "img-src 'self'",
    `script-src ${[SCRIPT, ...scripts].map(cspHash).join(' ')}`,
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    ...(formAction ? [`form-action ${formAction}`] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Names of tokens in `STYLE`. */
const STYLE_OPTIONS = { prefix: '--' }

/** A document that needs no script, and no other files than a logo and an icon. `content` is HTML. */
export function plainPage(
  { locale, look }: { locale: Locale; look: branding.PublicBranding },
  title: string,
  content: string,
  head = '',
): string {
  const heading = escapeHtml(title)
  const style = brandingStyle(look, STYLE_OPTIONS)
  const say = translator(locale)
  const links = (['support', 'imprint'] as const).flatMap((name) => {
    const url = look[`${name}_url`]
    return url ? [`<a href="${escapeHtml(url)}">${escapeHtml(say(`ui.${name}`))}</a>`] : []
  })
  return `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${iconLink(look, '')}${head}<title>${heading} · ${escapeHtml(look.name ?? 'Vrata')}</title><style>${STYLE}</style>${style && `<style>${style}</style>`}<script>${SCRIPT}</script></head>
<body><main>${MARK}<h1>${heading}</h1>
${content}${links.length > 0 ? `<footer>${links.join(' ')}</footer>` : ''}</main></body>
</html>`
}
