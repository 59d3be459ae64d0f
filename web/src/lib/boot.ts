import type { Boot } from '@vrata/contract/boot'
import { LANGUAGE_COOKIE, negotiateLocale } from '@vrata/contract/locales'

/** What a page knows before its first call. `user` is undefined while nobody has asked who this is. */
export type Start = Omit<Boot, 'user'> & {
  user: Boot['user'] | undefined
  /** What the page's HTML was rendered for of what the address says behind the question mark. */
  rendered_for?: Record<string, string>
}

/** Reads what the server wrote into the document. Without it (development server) the page finds out by itself. */
export function readBoot(page: Document): Start {
  const text = page.getElementById('boot')?.textContent
  const query = page.getElementById('root')?.dataset.prerendered
  if (text) return { ...(JSON.parse(text) as Boot), rendered_for: Object.fromEntries(new URLSearchParams(query)) }
  const cookie = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([^;]*)`).exec(page.cookie)?.[1]
  return { locale: negotiateLocale(cookie, navigator.languages), api_base: '', user: undefined, refresh: false }
}
