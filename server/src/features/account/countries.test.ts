import { CATALOG } from '@vrata/contract'
import { expect, test } from 'vitest'
import { countriesIn, countryName, isCountry } from './countries.ts'

const all = countriesIn('en-US').flatMap(({ countries }) => countries)

test('gives a locale to the countries of the catalog only (product §3.8)', () => {
  const known = CATALOG.flatMap(({ countries }) => countries.map(({ code, locale }) => [code, locale]))
  const marked = all.filter(({ locale }) => locale).map(({ code, locale }) => [code, locale])
  expect(marked.sort()).toEqual(known.sort())
})

test('lists all 249 countries of ISO 3166-1 once, each with a name (api §3.8)', () => {
  expect(all).toHaveLength(249)
  expect(new Set(all.map(({ code }) => code)).size).toBe(249)
  expect(all.filter(({ code, name }) => code === name)).toEqual([])
})

test('lists the regions of the catalog first', () => {
  const regions = countriesIn('en-US').map(({ region }) => region)
  expect(regions.slice(0, 2)).toEqual(CATALOG.map(({ region }) => region))
})

test('names and sorts by language', () => {
  expect(countryName('HR', 'hr-HR')).toBe('Hrvatska')
  expect(countryName('DE', 'sl-SI')).toBe('Nemčija')
  expect(countryName(null, 'sl-SI')).toBeNull()
  const europe = countriesIn('sl-SI')[1]?.countries.map(({ name }) => name) ?? []
  expect(europe.indexOf('Češka')).toBeLessThan(europe.indexOf('Danska'))
})

test('rejects an unknown code', () => {
  expect(isCountry('SI')).toBe(true)
  expect(isCountry('XX')).toBe(false)
  expect(isCountry('si')).toBe(false)
})
