import { getPublicBranding } from '@vrata/contract/branding'
import { brandingStyle } from '@vrata/contract/branding-style'
import type { AppContext } from '../../lib/app-context.tsx'

/** The style sheet of the last change. */
let shown: CSSStyleSheet | undefined

/** Shows the branding of this moment on an open page. */
export async function applyBranding({ api, apiBase, i18n }: AppContext): Promise<void> {
  const answer = await api(getPublicBranding)
  if (!answer.ok) return
  const { colors, logo, logo_dark, icon, ...brand } = answer.data
  // The policy allows style sheets of the document by their hash, and those that a script constructs.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(brandingStyle({ colors, logo, logo_dark } as typeof answer.data, { origin: apiBase }))
  document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets.filter((one) => one !== shown)]
  shown = sheet
  document.getElementById('branding')?.remove()
  const file = icon ?? logo
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link) {
    link.type = file ? 'image/webp' : 'image/svg+xml'
    link.href = file ? `${apiBase}/v1/media/${file}?size=64` : '/favicon.svg'
  }
  i18n.rebrand(brand)
}
