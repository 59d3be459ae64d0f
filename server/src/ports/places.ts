import type { Locale } from '@vrata/contract'
import type { CityResponse, Reader } from 'maxmind'

/** Where an address of the network is, roughly, as far as a database on this machine knows. Nobody is asked. */
export interface Places {
  /** City and country code, `Ljubljana, SI`, or the country code alone; null when it is not known. */
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
      const city = found?.city?.names.en
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

/** Says a place in a language: `Ljubljana, Slovenija`. */
export function placeIn(locale: Locale, place: string | null): string | null {
  if (place === null) return null
  return place.replace(/[A-Z]{2}$/, (code) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code)
}
