/** Regions, countries and languages of the specification §3, and its genders. */
export const CATALOGUE = [
  { region: 'North America', countries: [{ code: 'US', name: 'United States', locale: 'en-US' }] },
  {
    region: 'Europe',
    countries: [
      { code: 'SI', name: 'Slovenia', locale: 'sl-SI' },
      { code: 'HR', name: 'Hrvatska', locale: 'hr-HR' },
    ],
  },
] as const

/** `other` reads "other / rather not say". */
export const GENDERS = ['male', 'female', 'other'] as const
export type Gender = (typeof GENDERS)[number]
