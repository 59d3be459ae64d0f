import type { Boot } from '@vrata/contract/boot'
import { LANGUAGE_COOKIE, negotiateLocale } from '@vrata/contract/locales'

/** Data that a page has before its first call. `user` is undefined while unknown. */
export type PageBoot = Omit<Boot, 'user'> & {
  user: Boot['user'] | undefined
  /** Query parameters for which the HTML was rendered. */
  rendered_for?: Record<string, string>
}

/** Reads the data that the server embedded in the document. Without it (development server) defaults are used. */
export function readBoot(page: Document): PageBoot {
  const text = page.getElementById('boot')?.textContent
  const query = page.getElementById('root')?.dataset.prerendered
  if (text || !import.meta.env.DEV)
    return { ...(JSON.parse(text ?? '') as Boot), rendered_for: Object.fromEntries(new URLSearchParams(query)) }
  const cookie = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([^;]*)`).exec(page.cookie)?.[1]
  return { locale: negotiateLocale(cookie, navigator.languages), api_base: '', user: undefined, refresh: false }
}
