import type { Locale } from '@vrata/contract'
import type { Formats } from '@vrata/phrases/format'
import type { SelectOption } from '../../ui/dialog/show-dialog.ts'

type Regions = readonly { countries: readonly { code: string; locale?: string }[] }[]

/** All countries in the current language: countries of the catalog first, then alphabetically. */
export function countryOptions(regions: Regions, format: Formats, locale: Locale): SelectOption[] {
  const { compare } = new Intl.Collator(locale)
  const all = regions
    .flatMap(({ countries }) => countries)
    .map(({ code, locale: own }) => ({ value: code, label: format.country(code), ours: own !== undefined }))
    .sort((a, b) => Number(b.ours) - Number(a.ours) || compare(a.label, b.label))
  return all.map(({ value, label }) => ({ value, label }))
}
