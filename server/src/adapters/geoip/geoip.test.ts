import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writePlaces } from '../../../test/adapters/geoip-file.ts'
import { describeGeoIpFile, localizedPlace, noGeoIp, openGeoIp } from './geoip.ts'

const folder = mkdtempSync(join(tmpdir(), 'vrata-places-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('formats a place in the language of the reader', () => {
  expect(localizedPlace('sl-SI', 'Ljubljana, SI')).toBe('Ljubljana, Slovenija')
  expect(localizedPlace('hr-HR', 'HR')).toBe('Hrvatska')
  expect(localizedPlace('en-US', null)).toBeNull()
  const vienna = 'Vienna|sl:Dunaj|hr:Beč, AT'
  expect([localizedPlace('en-US', vienna), localizedPlace('sl-SI', vienna), localizedPlace('hr-HR', vienna)]).toEqual([
    'Vienna, Austria',
    'Dunaj, Avstrija',
    'Beč, Austrija',
  ])
})

test('finds no place without a file or with an invalid one, and does not fail', async () => {
  const warned: string[] = []
  const file = join(folder, 'none.mmdb')
  writeFileSync(file, 'no database')
  const places = openGeoIp(file, { warn: (_, message) => void warned.push(message) })
  expect(await places.find('89.142.0.1')).toBeNull()
  expect(await places.find('89.142.0.1')).toBeNull()
  expect(await noGeoIp.find('89.142.0.1')).toBeNull()
  expect(warned).toHaveLength(1)
  await expect(describeGeoIpFile(file)).rejects.toThrow()
})

test('finds city and country of IPv4 and IPv6 addresses in a database, and nothing for unlisted addresses', async () => {
  const file = join(folder, 'places.mmdb')
  writePlaces(file, {
    '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' },
    '2a05:4f46::/32': { city: 'Split', country: 'HR' },
    '193.2.0.0/16': { country: 'SI' },
    '91.112.0.0/16': { city: { en: 'Vienna', de: 'Wien', sl: 'Dunaj', hr: 'Vienna' }, country: 'AT' },
    '91.113.0.0/16': { city: { de: 'Graz' }, country: 'AT' },
  })
  const warned: string[] = []
  const places = openGeoIp(file, { warn: (_, message) => void warned.push(message) })
  const placeOf = async (ip: string) => localizedPlace('sl-SI', await places.find(ip))
  expect(await placeOf('89.142.255.1')).toBe('Ljubljana, Slovenija')
  expect(await placeOf('::ffff:89.142.0.1')).toBe('Ljubljana, Slovenija')
  expect(await placeOf('2a05:4f46:1::5')).toBe('Split, Hrvaška')
  expect(await placeOf('193.2.1.1')).toBe('Slovenija')
  expect(await placeOf('91.112.0.1')).toBe('Dunaj, Avstrija')
  expect(await places.find('91.112.0.1')).toBe('Vienna|sl:Dunaj, AT')
  expect(await placeOf('91.113.0.1')).toBe('Graz, Avstrija')
  for (const ip of ['89.143.0.1', '2a05:4f47::1', '::1', '127.0.0.1', 'unknown']) expect(await placeOf(ip)).toBeNull()
  expect(warned).toEqual([])
  expect(await describeGeoIpFile(file)).toBe('Vrata-Test-City, 2026-11-18')
})

test('a file that is replaced is read again; a broken one is logged and the former places stay', async () => {
  const file = join(folder, 'replaced.mmdb')
  const spots = (city: string) => ({ '89.142.0.0/16': { city, country: 'SI' } })
  writePlaces(file, spots('Ljubljana'))
  const warned: string[] = []
  const places = openGeoIp(file, { warn: (_, message) => void warned.push(message) }, 20)
  expect(await places.find('89.142.0.1')).toBe('Ljubljana, SI')
  // A download that has failed.
  writeFileSync(file, '<html>The file is not available.</html>')
  await expect.poll(() => warned).toHaveLength(1)
  expect(await places.find('89.142.0.1')).toBe('Ljubljana, SI')
  writePlaces(file, spots('Maribor'))
  await expect.poll(() => places.find('89.142.0.1')).toBe('Maribor, SI')
  // Half of a copy, with the end of the file before it.
  writeFileSync(file, readFileSync(file).fill(255, 0, 512))
  await expect.poll(() => places.find('89.142.0.1')).toBeNull()
})

test('a file that appears while the server runs is read', async () => {
  const file = join(folder, 'late.mmdb')
  const places = openGeoIp(file, { warn() {} }, 20)
  expect(await places.find('89.142.0.1')).toBeNull()
  writePlaces(file, { '89.142.0.0/16': { country: 'SI' } })
  await expect.poll(() => places.find('89.142.0.1')).toBe('SI')
})
