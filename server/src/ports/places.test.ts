import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writePlaces } from '../../test/place-file.ts'
import { nowhere, placeIn, placesFile, placesIn } from './places.ts'

const folder = mkdtempSync(join(tmpdir(), 'vrata-places-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a place is said in the language of whoever reads it', () => {
  expect(placeIn('sl-SI', 'Ljubljana, SI')).toBe('Ljubljana, Slovenija')
  expect(placeIn('hr-HR', 'HR')).toBe('Hrvatska')
  expect(placeIn('en-US', null)).toBeNull()
  const vienna = 'Vienna|sl:Dunaj|hr:Beč, AT'
  expect([placeIn('en-US', vienna), placeIn('sl-SI', vienna), placeIn('hr-HR', vienna)]).toEqual([
    'Vienna, Austria',
    'Dunaj, Avstrija',
    'Beč, Austrija',
  ])
})

test('without a file, and with one that is none, nothing is known and nothing fails', async () => {
  const warned: string[] = []
  const file = join(folder, 'none.mmdb')
  writeFileSync(file, 'no database')
  const places = placesIn(file, { warn: (_, message) => void warned.push(message) })
  expect(await places.find('89.142.0.1')).toBeNull()
  expect(await places.find('89.142.0.1')).toBeNull()
  expect(await nowhere.find('89.142.0.1')).toBeNull()
  expect(warned).toHaveLength(1)
  await expect(placesFile(file)).rejects.toThrow()
})

test('a real database tells city and country of both kinds of addresses, and nothing of the others', async () => {
  const file = join(folder, 'places.mmdb')
  writePlaces(file, {
    '89.142.0.0/16': { city: 'Ljubljana', country: 'SI' },
    '2a05:4f46::/32': { city: 'Split', country: 'HR' },
    '193.2.0.0/16': { country: 'SI' },
    '91.112.0.0/16': { city: { en: 'Vienna', de: 'Wien', sl: 'Dunaj', hr: 'Vienna' }, country: 'AT' },
    '91.113.0.0/16': { city: { de: 'Graz' }, country: 'AT' },
  })
  const warn = (_: object, message: string) => expect.fail(message)
  const places = placesIn(file, { warn })
  const said = async (ip: string) => placeIn('sl-SI', await places.find(ip))
  expect(await said('89.142.255.1')).toBe('Ljubljana, Slovenija')
  expect(await said('::ffff:89.142.0.1')).toBe('Ljubljana, Slovenija')
  expect(await said('2a05:4f46:1::5')).toBe('Split, Hrvaška')
  expect(await said('193.2.1.1')).toBe('Slovenija')
  expect(await said('91.112.0.1')).toBe('Dunaj, Avstrija')
  expect(await places.find('91.112.0.1')).toBe('Vienna|sl:Dunaj, AT')
  expect(await said('91.113.0.1')).toBe('Graz, Avstrija')
  for (const ip of ['89.143.0.1', '2a05:4f47::1', '::1', '127.0.0.1', 'unknown']) expect(await said(ip)).toBeNull()
  expect(await placesFile(file)).toBe('Vrata-Test-City, 2026-11-18')
})
