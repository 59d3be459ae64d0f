import { CATALOGUE } from '@vrata/contract'
import { expect, test } from 'vitest'
import { countriesIn, countryName, isCountry } from './countries.ts'

const all = countriesIn('en-US').flatMap(({ countries }) => countries)

test('§3 every country of the catalogue carries its locale, and no other does', () => {
  const known = CATALOGUE.flatMap(({ countries }) => countries.map(({ code, locale }) => [code, locale]))
  const marked = all.filter(({ locale }) => locale).map(({ code, locale }) => [code, locale])
  expect(marked.sort()).toEqual(known.sort())
})

test('api §3 all 249 countries of ISO 3166-1 are there, each once and with a name of its own', () => {
  expect(all).toHaveLength(249)
  expect(new Set(all.map(({ code }) => code)).size).toBe(249)
  expect(all.filter(({ code, name }) => code === name)).toEqual([])
})

test('the regions of the catalogue come first', () => {
  const regions = countriesIn('en-US').map(({ region }) => region)
  expect(regions.slice(0, 2)).toEqual(CATALOGUE.map(({ region }) => region))
})

test('names and order follow the language', () => {
  expect(countryName('HR', 'hr-HR')).toBe('Hrvatska')
  expect(countryName('DE', 'sl-SI')).toBe('Nemčija')
  expect(countryName(null, 'sl-SI')).toBeNull()
  const europe = countriesIn('sl-SI')[1]?.countries.map(({ name }) => name) ?? []
  expect(europe.indexOf('Češka')).toBeLessThan(europe.indexOf('Danska'))
})

test('a code that nobody has is no country', () => {
  expect(isCountry('SI')).toBe(true)
  expect(isCountry('XX')).toBe(false)
  expect(isCountry('si')).toBe(false)
})
