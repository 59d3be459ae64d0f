import type { Boot } from '@vrata/contract/boot'
import { LANGUAGE_COOKIE, negotiateLocale } from '@vrata/contract/locales'

/** What a page knows before its first call. `user` is undefined while nobody has asked who this is. */
export type Start = Omit<Boot, 'user'> & { user: Boot['user'] | undefined }

/** Reads what the server wrote into the document. Without it (development server) the page finds out by itself. */
export function readBoot(page: Document): Start {
  const text = page.getElementById('boot')?.textContent
  if (text) return JSON.parse(text) as Boot
  const cookie = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([^;]*)`).exec(page.cookie)?.[1]
  return { locale: negotiateLocale(cookie, navigator.languages), api_base: '', user: undefined, refresh: false }
}
