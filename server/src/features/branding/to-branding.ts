import { accentPairs, type branding, DEFAULT_LOCALE, LOCALES } from '@vrata/contract'
import { fromJson, toJson } from '../../db/values.ts'
import type { BrandingRow } from './store.ts'

/** The row of an installation that looks as delivered. */
export const DELIVERED: Omit<BrandingRow, 'id'> = {
  version: 0,
  name: null,
  accent: null,
  logo: null,
  logo_dark: null,
  icon: null,
  support_url: null,
  imprint_url: null,
  mail_from_name: null,
  mail_footer: toJson({}),
  sign_in_text: toJson({}),
  languages: toJson(LOCALES),
  default_language: DEFAULT_LOCALE,
}

/** The branding of a row; without a row as delivered. */
export function toBranding(row: Omit<BrandingRow, 'id'> = DELIVERED): branding.Branding {
  const { accent } = row
  return {
    name: row.name,
    accent,
    accent_colors: accent === null ? null : accentPairs(accent),
    logo: row.logo,
    logo_dark: row.logo_dark,
    icon: row.icon,
    support_url: row.support_url,
    imprint_url: row.imprint_url,
    mail_from_name: row.mail_from_name,
    mail_footer: fromJson(row.mail_footer),
    sign_in_text: fromJson(row.sign_in_text),
    languages: fromJson(row.languages),
    default_language: row.default_language as branding.Branding['default_language'],
  }
}
