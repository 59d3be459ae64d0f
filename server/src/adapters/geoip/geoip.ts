import { watchFile } from 'node:fs'
import { LOCALES, type Locale } from '@vrata/contract'
import type { CityResponse, Reader } from 'maxmind'

/** The approximate location of an IP address, from a local database. No service is called. */
export interface GeoIp {
  /**
   * City and country code (`Ljubljana, SI`) or the country code alone; null when unknown. A city whose name differs in
   * our languages includes the names: `Vienna|sl:Dunaj|hr:Beč, AT`; {@link localizedPlace} formats it.
   */
  find(ip: string): Promise<string | null>
}

/** For an installation without a GeoIP database. */
export const noGeoIp: GeoIp = { find: async () => null }

/** Milliseconds between two looks whether the file was replaced. */
const EVERY = 5000

/**
 * Reads a file in MaxMind's format (GeoLite2-City, DB-IP City Lite) on the first lookup, and again when it is replaced. A file that cannot be
 * read, such as one that is still being copied, is logged and changes nothing: sign-ins continue with the former places, or without.
 */
export function openGeoIp(file: string, log: { warn(fields: object, message: string): void }, every = EVERY): GeoIp {
  let reader: Reader<CityResponse> | undefined
  let reading: Promise<void> | undefined
  const warn = (err: unknown) =>
    log.warn({ err }, `VRATA_GEOIP_FILE cannot be read; places are ${reader ? 'those of before' : 'left out'}`)
  const read = async () => {
    reader = await openDatabase(file).catch((err) => {
      warn(err)
      return reader
    })
  }
  /** The library watches a file, too, but a broken one then fails every lookup. */
  const begin = () => {
    watchFile(file, { interval: every, persistent: false }, () => void read())
    return read()
  }
  const lookedUp = (ip: string) => {
    try {
      return reader?.get(withoutPrefix(ip))
    } catch (err) {
      log.warn({ err }, 'VRATA_GEOIP_FILE is damaged; a place is left out')
      return undefined
    }
  }
  return {
    async find(ip) {
      await (reading ??= begin())
      const found = lookedUp(ip)
      const country = found?.country?.iso_code ?? found?.registered_country?.iso_code
      if (!country) return null
      const city = namesOf({ ...found?.city?.names })
      return city ? `${city}, ${country}` : country
    },
  }
}

async function openDatabase(file: string): Promise<Reader<CityResponse>> {
  const { open } = await import('maxmind')
  return await open<CityResponse>(file)
}

/** Dual-stack sockets report IPv4 addresses as `::ffff:192.0.2.1`, which not every file contains. */
function withoutPrefix(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** Type and date of a database file: `GeoLite2-City, 2026-11-20`. Throws when the file cannot be read. */
export async function describeGeoIpFile(file: string): Promise<string> {
  const { open } = await import('maxmind')
  const { databaseType, buildEpoch } = (await open(file)).metadata
  return `${databaseType}, ${buildEpoch.toISOString().slice(0, 10)}`
}

/** The English name and those of our languages that differ; most files have them for large cities only. */
function namesOf(names: { readonly [language: string]: string }): string | undefined {
  const first = names.en ?? Object.values(names).find(Boolean)
  const others = LOCALES.map((locale) => new Intl.Locale(locale).language)
    .filter((language) => names[language] && names[language] !== first)
    .map((language) => `|${language}:${names[language]}`)
  return first && first + others.join('')
}

/** Formats a location in a language: `Dunaj, Avstrija`. */
export function localizedPlace(locale: Locale, place: string | null): string | null {
  if (place === null) return null
  const { cities = '', code = '' } = /^(?:(?<cities>.*), )?(?<code>\w*)$/s.exec(place)?.groups ?? {}
  const [first = '', ...others] = cities.split('|')
  const own = `${new Intl.Locale(locale).language}:`
  const city = others.find((name) => name.startsWith(own))?.slice(own.length) ?? first
  const country = /^[A-Z]{2}$/.test(code) ? new Intl.DisplayNames(locale, { type: 'region' }).of(code) : code
  return [city, country].filter(Boolean).join(', ')
}
