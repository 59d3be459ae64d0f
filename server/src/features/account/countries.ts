import { CATALOG, type Locale } from '@vrata/contract'

/**
 * Countries of ISO 3166-1 (249) by region of UN M49: 003 North America with Central America and the Caribbean, 150 Europe,
 * 005 South America, 142 Asia, 002 Africa, 009 Oceania. Antarctica belongs to none and is its own region. The regions of
 * the catalog come first (product §3.8).
 */
const REGIONS: readonly (readonly [region: string, codes: string])[] = [
  [
    '003',
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US VC VG VI',
  ],
  [
    '150',
    'AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA',
  ],
  ['005', 'AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE'],
  [
    '142',
    'AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  ],
  [
    '002',
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW',
  ],
  ['009', 'AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS'],
  ['AQ', 'AQ'],
]

const CODES = new Set(REGIONS.flatMap(([, codes]) => codes.split(' ')))
const LOCALE_OF = new Map<string, Locale>(
  CATALOG.flatMap(({ countries }) => countries.map(({ code, locale }) => [code, locale] as const)),
)

/** Whether a text is a code of a country (ISO 3166-1 alpha-2), in capital letters. */
export function isCountry(code: string): boolean {
  return CODES.has(code)
}

/** Name of a country in a language; null without a code. */
export function countryName(code: string | null, locale: Locale): string | null {
  return code === null ? null : (namesIn(locale).of(code) ?? code)
}

type Region = { region: string; countries: { code: string; name: string; locale?: Locale }[] }

/** All countries by region, named and sorted in a language. */
export function countriesIn(locale: Locale): Region[] {
  const known = lists.get(locale)
  if (known) return known
  const order = new Intl.Collator(locale)
  const made = REGIONS.map(([region, codes]) => ({
    region: namesIn(locale).of(region) ?? region,
    countries: codes
      .split(' ')
      .map((code) => country(code, locale))
      .sort((a, b) => order.compare(a.name, b.name)),
  }))
  lists.set(locale, made)
  return made
}

function country(code: string, locale: Locale) {
  const name = namesIn(locale).of(code) ?? code
  const own = LOCALE_OF.get(code)
  return own ? { code, name, locale: own } : { code, name }
}

const lists = new Map<Locale, Region[]>()
const names = new Map<Locale, Intl.DisplayNames>()

/** Cached, because creating a formatter costs a hundred times more than using it. */
function namesIn(locale: Locale): Intl.DisplayNames {
  const known = names.get(locale)
  if (known) return known
  const made = new Intl.DisplayNames(locale, { type: 'region' })
  names.set(locale, made)
  return made
}
