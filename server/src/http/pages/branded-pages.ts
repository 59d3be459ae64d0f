import type { Boot, branding, PlannedPage } from '@vrata/contract'
import escapeHtml from 'escape-html'

/** Renders a public page again, with a name, texts and links of its own; undefined where there is nothing to render with. */
export type RenderPublicPage = (page: {
  address: string
  query: Record<string, string>
  boot: Boot
}) => Promise<string | undefined>

/**
 * Prerendered pages and skeletons as they look in an installation with a name, texts, links or languages of its own. Each is
 * made at its first request after a change of the branding.
 */
export class BrandedPages {
  readonly #render: RenderPublicPage
  readonly #made = new Map<string, Promise<PlannedPage>>()
  #look: branding.PublicBranding = {}

  constructor(render: RenderPublicPage) {
    this.#render = render
  }

  /** `boot`: of a visitor, with the language and the branding. */
  async find(page: PlannedPage, look: branding.PublicBranding, boot: Boot): Promise<PlannedPage> {
    if (!boot.branding) return page
    if (look !== this.#look) this.#made.clear()
    this.#look = look
    const key = `${boot.locale} ${page.pattern} ${new URLSearchParams(page.query)}`
    const made = this.#made.get(key) ?? this.#make(page, boot, key)
    this.#made.set(key, made)
    return await made
  }

  async #make(page: PlannedPage, boot: Boot, key: string): Promise<PlannedPage> {
    const { locale, branding: { name } = {} } = boot
    const { address, query = {} } = page
    const isRendered = page.prerendered && address !== undefined
    const rendered = isRendered ? await this.#render({ address, query, boot }) : undefined
    // The next request tries again.
    if (isRendered && rendered === undefined) this.#made.delete(key)
    const html =
      rendered ||
      // A skeleton has no other words of ours than the name.
      (name && !page.prerendered ? page.html[locale]?.replaceAll('Vrata', () => escapeHtml(name)) : page.html[locale])
    const title = name ? page.titles[locale]?.replace(/Vrata$/, () => name) : page.titles[locale]
    return { ...page, html: { ...page.html, [locale]: html }, titles: { ...page.titles, [locale]: title } }
  }
}

/** The branding for the script of a page, without colors and pictures, which are in the style sheet. */
export function bootBranding({ colors: _, logo: __, logo_dark: ___, icon: ____, ...rest }: branding.PublicBranding) {
  return Object.keys(rest).length > 0 ? { branding: rest } : {}
}
