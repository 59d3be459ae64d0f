import type { AccentPair } from '@vrata/contract'
import escapeHtml from 'escape-html'

export type MailWords = {
  subject: string
  greeting: string
  text: string
  /** Lines; empty for none. */
  facts: string
  action: string
  hint: string
  note: string
  footer: string
  /** Lines that the installation adds; empty for none. */
  imprint: string
}

/** Name and colors of the installation. */
export type MailLook = { name: string; colors: Record<'light' | 'dark', AccentPair> | null }

const COLORS = {
  light: { color: '#006867', on_color: '#ffffff' },
  dark: { color: '#62d4c9', on_color: '#001a1e' },
}

/**
 * One card with one button, in the colors of the pages. Styles are inline, because mail clients remove style sheets;
 * the rules in the head only add the dark theme. No external resources, so opening a mail reveals nothing.
 */
export function htmlPage(words: MailWords, link: string, locale: string, { name, colors }: MailLook): string {
  const { light, dark } = colors ?? COLORS
  const w = mapValues(words, escapeHtml)
  const href = escapeHtml(link)
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${w.subject}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #071316 !important }
  .card { background: #0e1c1f !important; border-color: #233234 !important }
  .ink { color: #ecf1f1 !important }
  .muted { color: #a5b3b2 !important }
  .link { color: ${dark.color} !important }
  .button { background: ${dark.color} !important; color: ${dark.on_color} !important }
}
</style>
</head>
<body class="page" style="margin:0;background:#f3f8f7">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f8f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;word-break:break-word;${FONT}">
<tr><td style="padding:0 8px 16px">
<span style="display:inline-block;width:14px;height:20px;border-radius:7px 7px 0 0;background:${colors ? light.color : '#f9bb51'};vertical-align:-3px"></span>
<span class="ink" style="font-size:19px;font-weight:650;color:#0f2224;padding-left:6px">${escapeHtml(name)}</span>
</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #d9e2e1;border-radius:28px;padding:32px">
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:30px;font-weight:650;color:#0f2224">${keepWhole(w.subject)}</h1>
<p class="ink" style="margin:0 0 24px;font-size:16px;line-height:24px;color:#0f2224">${w.greeting}<br>${keepWhole(w.text)}</p>${w.facts && `\n<p class="muted" style="margin:0 0 24px;font-size:15px;line-height:22px;color:#4d5f61">${w.facts.replaceAll('\n', '<br>')}</p>`}
<p style="margin:0 0 24px"><a class="button" href="${href}" style="display:inline-block;background:${light.color};color:${light.on_color};border-radius:12px;padding:14px 24px;font-size:16px;line-height:20px;font-weight:600;text-decoration:none">${keepWhole(w.action)}</a></p>
<p class="muted" style="margin:0 0 4px;font-size:13px;line-height:18px;color:#4d5f61">${w.hint}</p>
<p style="margin:0 0 24px;font-size:13px;line-height:18px;word-break:break-all"><a class="link" href="${href}" style="color:${light.color}">${href}</a></p>
<p class="muted" style="margin:0;font-size:15px;line-height:22px;color:#4d5f61">${keepWhole(w.note)}</p>
</td></tr>
<tr><td class="muted" style="padding:16px 8px;font-size:13px;line-height:18px;color:#4d5f61">${keepWhole(w.footer)}${w.imprint && `<br>${w.imprint.replaceAll('\n', '<br>')}`}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const FONT = "font-family:Figtree,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

/** HTML whose words such as “e-naslov” have no line break after the hyphen; they are short, so that each fits on a line. */
function keepWhole(html: string): string {
  return html.replaceAll(
    /(?<![\p{L}\p{N}.@_-])e-\p{L}{1,10}(?![\p{L}-])/giu,
    '<span style="white-space:nowrap">$&</span>',
  )
}

function mapValues<T extends Record<string, string>>(object: T, map: (value: string) => string): T {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)])) as T
}
