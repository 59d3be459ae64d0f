import type { branding, Locale } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import { plainPage, plainPagePolicy } from '../../http/pages/plain-page.ts'

/** An app that the browser signs out of; `url` is its front-channel logout URI with its parameters. */
export type FrontchannelApp = { name: string; url: string }

/** Seconds for which the page waits for apps that do not answer. */
const TIMEOUT = 5

/** Continues when all frames have loaded, or failed to, and at the latest after the timeout. */
const SCRIPT = `{const go=()=>location.replace(document.querySelector('main a').href);addEventListener('load',go);setTimeout(go,${TIMEOUT * 1000})}`

/**
 * The page that loads the front-channel logout URIs in frames and then continues. The frames may run scripts and use their
 * cookies, but not replace the page (OpenID Connect Front-Channel Logout §2). Without script the browser itself continues
 * when the frames have loaded, and a link is there for the rest.
 */
export function frontchannelPage(
  { locale, look }: { locale: Locale; look: branding.PublicBranding },
  apps: readonly FrontchannelApp[],
  continue_to: string,
): { html: string; policy: string } {
  const say = translator(locale)
  const names = new Intl.ListFormat(locale).format([...new Set(apps.map(({ name }) => name))])
  const frames = apps.map(
    ({ url }) =>
      `<iframe hidden src="${escapeHtml(url)}" sandbox="allow-scripts allow-same-origin" referrerpolicy="no-referrer"></iframe>`,
  )
  const target = escapeHtml(continue_to)
  const content = `<p role="status">${escapeHtml(say('plain-pages.apps.text', { apps: names }))}</p>
<p><a href="${target}">${escapeHtml(say('plain-pages.continue.do'))}</a></p>
${frames.join('\n')}`
  return {
    html: plainPage(
      { locale, look },
      say('plain-pages.apps.title'),
      content,
      `<meta http-equiv="refresh" content="${TIMEOUT};url=${target}"><script>${SCRIPT}</script>`,
    ),
    policy: plainPagePolicy({ look, scripts: [SCRIPT], frames: [...new Set(apps.map(({ url }) => frameSource(url)))] }),
  }
}

/** The address without its query, as a source of a policy, in which `;` and `,` separate (CSP 3 §2.3.1). */
function frameSource(address: string): string {
  const { origin, pathname } = new URL(address)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}
