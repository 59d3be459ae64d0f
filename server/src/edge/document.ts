import type { Boot, Locale, PagePlan, PlannedPage } from '@vrata/contract'

/** Writes the document of a page. Nothing in it comes from the address; the visitor's data stands in JSON alone. */
export function documentWriter(plan: PagePlan): (page: PlannedPage, locale: Locale, boot: Boot) => string {
  const start = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<style>${plan.css}</style>`,
    `<script>${plan.early}</script>`,
  ].join('')

  return (page, locale, boot) => {
    const { failed, noscript } = plan.frame[locale]
    const fonts = plan.fonts[locale].map(
      (href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`,
    )
    const scripts = page.scripts[locale]
      .filter((href) => href !== plan.entry)
      .map((href) => `<link rel="modulepreload" href="${href}">`)
    return [
      `<!doctype html><html lang="${locale}"><head>${start}${fonts.join('')}<title>${escaped(page.titles[locale])}</title>`,
      `<script type="module" src="${plan.entry}"></script>${scripts.join('')}</head><body>`,
      `<div id="overlay" class="light-strip" aria-hidden="true"></div>`,
      page.prerendered ? '' : `<noscript><div>${noscript}</div></noscript>`,
      `<div id="root" ${page.prerendered ? `data-prerendered="${new URLSearchParams(page.query)}"` : 'data-skeleton'}>${page.html[locale]}</div>`,
      `<div id="failed">${failed}</div>`,
      `<script id="boot" type="application/json">${json(boot)}</script></body></html>`,
    ].join('')
  }
}

/** JSON that cannot end the script element it stands in. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
