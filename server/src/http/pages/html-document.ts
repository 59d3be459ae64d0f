import {
  type Boot,
  type branding,
  brandingStyle,
  DEFAULT_POLICY,
  type Locale,
  type PagePlan,
  type PlannedPage,
  type ProblemCode,
} from '@vrata/contract'
import { problemKey, translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import { withEntered } from './entered-fields.ts'

/** Parts of a document besides the prerendered page or its skeleton. */
export type WithoutScript = {
  /** The page, rendered with the data of its user. */
  rendered?: string | undefined
  /** Problem of the form that was posted last. */
  problem?: ProblemCode | undefined
  /** Entered values, by the name of the field. */
  entered?: Record<string, string> | undefined
  /** Why the account is disabled, where that is the problem. */
  reason?: string
  /** Parts of the sign-in page that the policy leaves out. */
  hidden?: string
  /** Path of the same page without script. */
  plain?: string | undefined
  /** Branding of the installation. */
  look?: branding.PublicBranding
}

/** Where prerendered forms have the problem of the last submission (`web/src/ui/form/form.tsx`). */
const PROBLEM = /(<noscript data-problem="">)(.*?)(<\/noscript>)/gs

/** Where the prerendered sign-in page names the app that requested it (`web/src/features/sign-in/requesting-app.tsx`). */
const REQUESTING_APP = /(<noscript data-requesting-app="">)(.*?)(<\/noscript>)/gs

/** Renders the document of a page. Nothing of the URL is inserted; user data is inserted as JSON, or escaped. */
export function documentWriter(
  plan: PagePlan,
): (page: PlannedPage, locale: Locale, boot: Boot, withoutScript?: WithoutScript) => string {
  const start = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<style>${plan.css}</style>`,
    `<script>${plan.early}</script>`,
  ].join('')

  return (page, locale, boot, { rendered, problem, entered = {}, reason = '', plain, hidden, look = {} } = {}) => {
    const { failed, noscript } = plan.frame[locale]
    const fonts = plan.fonts[locale].map(
      (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    )
    const scripts = [...page.scripts[locale], ...(boot.rendered ? [] : page.phrases[locale])]
      .filter((href) => href !== plan.entry)
      .map((href) => `<link rel="modulepreload" href="${href}">`)
    const { password_min_length: min } = boot.policy ?? DEFAULT_POLICY
    const sentence = problem && escapeHtml(translator(locale)(problemKey(problem), { reason, min }).trim())
    const style = brandingStyle(look, { origin: boot.api_base })
    const html = (rendered ?? withEntered(withApp(page.html[locale], boot.continue_to), entered)).replace(
      PROBLEM,
      (_, start, notice: string, end) =>
        [start, ...(sentence ? [notice.replace('{problem}', () => sentence)] : []), end].join(''),
    )
    const notice = `<noscript><div>${noscript}</div></noscript>`
    return [
      `<!doctype html><html lang="${locale}"${hidden ? ` data-off="${hidden}"` : ''}><head>${start}${fonts.join('')}${iconLink(look, boot.api_base)}${style && `<style id="branding">${style}</style>`}<title>${escapeHtml(page.titles[locale])}</title>`,
      `<script type="module" src="${plan.entry}"></script>${scripts.join('')}${plain ? `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(plain)}"></noscript>` : ''}</head><body>`,
      `<div id="overlay" class="progress-strip" aria-hidden="true"></div>`,
      page.prerendered || rendered ? '' : notice,
      `<div id="root" ${rendered ? 'data-rendered ' : ''}${page.prerendered || rendered ? `data-prerendered="${new URLSearchParams(page.query)}"` : 'data-skeleton'}>${html}</div>`,
      // A rendered page can be read without script; what it offers to do needs one.
      rendered ? notice : '',
      `<div id="failed">${failed}</div>`,
      `<script id="boot" type="application/json">${json(boot)}</script></body></html>`,
    ].join('')
  }
}

/** The element of the icon that browsers show in tabs: that of the installation, else the product's. `origin`: of the API, or empty for that of the page. */
export function iconLink({ icon, logo }: branding.PublicBranding, origin: string): string {
  const file = icon ?? logo
  return file
    ? `<link rel="icon" href="${origin}/v1/media/${file}?size=64" type="image/webp">`
    : '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
}

/** Fills in the app that requested the sign-in. The element stays without one: hydration expects it. */
function withApp(html: string, app: Boot['continue_to']): string {
  return html.replace(REQUESTING_APP, (_, start, place: string, end) => start + (app ? filled(place, app) : '') + end)
}

/** Replaces the placeholders by escaped values; removes the logo and the links that the app does not have. */
function filled(place: string, { name, icon, ...links }: NonNullable<Boot['continue_to']>): string {
  const logo = icon && (icon.includes('/') ? icon : `/v1/media/${encodeURIComponent(icon)}`)
  let html = logo ? place.replace('/{icon}', () => escapeHtml(logo)) : place.replace(LOGO, '')
  for (const [link, url] of Object.entries(links)) {
    html = url ? html.replace(`{${link}}`, () => escapeHtml(url)) : html.replace(linkNamed(link), '')
  }
  return html.replace('{name}', () => escapeHtml(name))
}

const LOGO = /<span data-app="icon".*?<\/span><\/span>/s
const linkNamed = (name: string) => new RegExp(`<a [^>]*data-app="${name}".*?</a>`, 's')

/** JSON that cannot close the script element that contains it. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
