import type { Locale } from '@vrata/contract'
import type { Formats } from '@vrata/phrases/format'
import type { AskOption } from '../../ui/ask.ts'

type Regions = readonly { countries: readonly { code: string; locale?: string }[] }[]

/** All countries under their names in this language: those of the catalogue first, the others as in a dictionary. */
export function countryOptions(regions: Regions, format: Formats, locale: Locale): AskOption[] {
  const { compare } = new Intl.Collator(locale)
  const all = regions
    .flatMap(({ countries }) => countries)
    .map(({ code, locale: own }) => ({ value: code, label: format.country(code), ours: own !== undefined }))
    .sort((a, b) => Number(b.ours) - Number(a.ours) || compare(a.label, b.label))
  return all.map(({ value, label }) => ({ value, label }))
}
