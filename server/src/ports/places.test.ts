import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nowhere, placeIn, placesIn } from './places.ts'

test('a place is said in the language of whoever reads it', () => {
  expect(placeIn('sl-SI', 'Ljubljana, SI')).toBe('Ljubljana, Slovenija')
  expect(placeIn('hr-HR', 'HR')).toBe('Hrvatska')
  expect(placeIn('en-US', null)).toBeNull()
})

test('without a file, and with one that is none, nothing is known and nothing fails', async () => {
  const warned: string[] = []
  const file = join(mkdtempSync(join(tmpdir(), 'vrata-places-')), 'places.mmdb')
  writeFileSync(file, 'no database')
  const places = placesIn(file, { warn: (_, message) => void warned.push(message) })
  expect(await places.find('89.142.0.1')).toBeNull()
  expect(await places.find('89.142.0.1')).toBeNull()
  expect(await nowhere.find('89.142.0.1')).toBeNull()
  expect(warned).toHaveLength(1)
})
