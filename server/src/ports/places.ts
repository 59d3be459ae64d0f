import { LOCALES, type Locale } from '@vrata/contract'
import type { CityResponse, Reader } from 'maxmind'

/** Where an address of the network is, roughly, as far as a database on this machine knows. Nobody is asked. */
export interface Places {
  /**
   * City and country code, `Ljubljana, SI`, or the country code alone; null when it is not known. A city that has other
   * names in our languages brings them: `Vienna|sl:Dunaj|hr:Beč, AT`. {@link placeIn} says it.
   */
  find(ip: string): Promise<string | null>
}

/** Finds nothing: an installation without a database of addresses. */
export const nowhere: Places = { find: async () => null }

/**
 * Reads a file in MaxMind's format (GeoLite2-City, DB-IP City Lite and the like), once the first place is asked for. A
 * file that is exchanged while the server runs is read anew. One that cannot be read is told of, once.
 */
export function placesIn(file: string, log: { warn(fields: object, message: string): void }): Places {
  let reader: Promise<Reader<CityResponse> | undefined> | undefined
  return {
    async find(ip) {
      reader ??= openDatabase(file).catch((err) => {
        log.warn({ err }, 'VRATA_GEOIP_FILE cannot be read; places are left out')
        return undefined
      })
      const found = (await reader)?.get(withoutPrefix(ip))
      const country = found?.country?.iso_code ?? found?.registered_country?.iso_code
      if (!country) return null
      const city = namesOf({ ...found?.city?.names })
      return city ? `${city}, ${country}` : country
    },
  }
}

async function openDatabase(file: string): Promise<Reader<CityResponse>> {
  const { open } = await import('maxmind')
  return await open<CityResponse>(file, { watchForUpdates: true, watchForUpdatesNonPersistent: true })
}

/** A socket of both kinds calls an IPv4 address `::ffff:192.0.2.1`; not every file knows it by that name. */
function withoutPrefix(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** What kind of database a file is, and of which day: `GeoLite2-City, 2026-11-20`. Throws when it cannot be read. */
export async function placesFile(file: string): Promise<string> {
  const { open } = await import('maxmind')
  const { databaseType, buildEpoch } = (await open(file)).metadata
  return `${databaseType}, ${buildEpoch.toISOString().slice(0, 10)}`
}

/** The English name, and those of our languages that are others; few files have them for more than large cities. */
function namesOf(names: { readonly [language: string]: string }): string | undefined {
  const first = names.en ?? Object.values(names).find(Boolean)
  const others = LOCALES.map((locale) => new Intl.Locale(locale).language)
    .filter((language) => names[language] && names[language] !== first)
    .map((language) => `|${language}:${names[language]}`)
  return first && first + others.join('')
}

/** Says a place in a language: `Dunaj, Avstrija`. */
export function placeIn(locale: Locale, place: string | null): string | null {
  if (place === null) return null
  const { cities = '', code = '' } = /^(?:(?<cities>.*), )?(?<code>\w*)$/s.exec(place)?.groups ?? {}
  const [first = '', ...others] = cities.split('|')
  const own = `${new Intl.Locale(locale).language}:`
  const city = others.find((name) => name.startsWith(own))?.slice(own.length) ?? first
  const country = /^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames(locale, { type: 'region' }).of(code) : code
  return [city, country].filter(Boolean).join(', ')
}
