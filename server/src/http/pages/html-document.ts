import type { Boot, Locale, PagePlan, PlannedPage, ProblemCode } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'

/** What a document shows when no script runs. */
export type WithoutScript = {
  /** Problem of the form that was posted last. */
  problem?: ProblemCode | undefined
  /** Path of the same page without script. */
  plain?: string | undefined
}

/** Where prerendered forms have the problem of the last submission (`web/src/ui/form/form.tsx`). */
const PROBLEM = /(<noscript data-problem="">)(.*?)(<\/noscript>)/gs

/** Renders the document of a page. Nothing of the URL is inserted; user data is inserted as JSON only. */
export function documentWriter(
  plan: PagePlan,
): (page: PlannedPage, locale: Locale, boot: Boot, withoutScript?: WithoutScript) => string {
  const start = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<style>${plan.css}</style>`,
    `<script>${plan.early}</script>`,
  ].join('')

  return (page, locale, boot, { problem, plain } = {}) => {
    const { failed, noscript } = plan.frame[locale]
    const fonts = plan.fonts[locale].map(
      (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    )
    const scripts = page.scripts[locale]
      .filter((href) => href !== plan.entry)
      .map((href) => `<link rel="modulepreload" href="${href}">`)
    const sentence = problem && escapeHtml(translator(locale)(`problems.${problem}`))
    const html = page.html[locale].replace(PROBLEM, (_, start, notice: string, end) =>
      [start, ...(sentence ? [notice.replace('{problem}', () => sentence)] : []), end].join(''),
    )
    return [
      `<!doctype html><html lang="${locale}"><head>${start}${fonts.join('')}<title>${escapeHtml(page.titles[locale])}</title>`,
      `<script type="module" src="${plan.entry}"></script>${scripts.join('')}${plain ? `<noscript><meta http-equiv="refresh" content="0;url=${escapeHtml(plain)}"></noscript>` : ''}</head><body>`,
      `<div id="overlay" class="progress-strip" aria-hidden="true"></div>`,
      page.prerendered ? '' : `<noscript><div>${noscript}</div></noscript>`,
      `<div id="root" ${page.prerendered ? `data-prerendered="${new URLSearchParams(page.query)}"` : 'data-skeleton'}>${html}</div>`,
      `<div id="failed">${failed}</div>`,
      `<script id="boot" type="application/json">${json(boot)}</script></body></html>`,
    ].join('')
  }
}

/** JSON that cannot close the script element that contains it. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
