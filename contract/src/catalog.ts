/** Regions, countries, languages and genders (product §3). */
export const CATALOG = [
  { region: 'North America', countries: [{ code: 'US', name: 'United States', locale: 'en-US' }] },
  {
    region: 'Europe',
    countries: [
      { code: 'SI', name: 'Slovenia', locale: 'sl-SI' },
      { code: 'HR', name: 'Hrvatska', locale: 'hr-HR' },
    ],
  },
] as const

/** `other` is shown as "other / rather not say". */
export const GENDERS = ['male', 'female', 'other'] as const
export type Gender = (typeof GENDERS)[number]
