import type { CountryCode } from 'libphonenumber-js'

/**
 * A telephone number as people write it, in the form of E.164: `041 123 456` in Slovenia is `+38641123456`. Undefined for
 * what is no number anywhere. `country` is where a number without a country code is from.
 */
export async function telephoneNumber(written: string, country: string | null): Promise<string | undefined> {
  // Loaded with the first number: its tables of all countries are larger than most of the server.
  const { parsePhoneNumberFromString, isSupportedCountry } = await import('libphonenumber-js/max')
  const home = country !== null && isSupportedCountry(country) ? (country as CountryCode) : undefined
  const found = parsePhoneNumberFromString(written, { ...(home ? { defaultCountry: home } : {}), extract: false })
  return found?.isValid() && !found.ext ? found.number : undefined
}
