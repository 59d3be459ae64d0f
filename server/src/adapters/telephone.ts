import type { CountryCode } from 'libphonenumber-js'

/**
 * Parses a phone number to E.164: `041 123 456` in Slovenia is `+38641123456`. Undefined for an invalid number.
 * `country` applies to numbers without a country code.
 */
export async function telephoneNumber(written: string, country: string | null): Promise<string | undefined> {
  // Loaded on first use: the tables of all countries are larger than most of the server.
  const { parsePhoneNumberFromString, isSupportedCountry } = await import('libphonenumber-js/max')
  const home = country !== null && isSupportedCountry(country) ? (country as CountryCode) : undefined
  const found = parsePhoneNumberFromString(written, { ...(home ? { defaultCountry: home } : {}), extract: false })
  return found?.isValid() && !found.ext ? found.number : undefined
}
