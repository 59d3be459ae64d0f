import { LOCALES } from '@vrata/contract/locales'
import { describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import { formats } from './format.ts'
import type { Slice } from './keys.ts'
import type { Message, Part } from './message.ts'
import { CATALOGUES } from './translate.ts'

const SLICES = Object.keys(CATALOGUES['en-US']) as Slice[]

/** Every hole of a sentence as `name kind`, and every set of plural cases that it states. */
function holesOf(message: Message, holes = new Set<string>(), plurals: string[][] = []) {
  const visit = (part: Part) => {
    if (typeof part === 'string' || part === 0) return
    holes.add(`${part[0]} ${part[1] === 'tag' ? 'tag' : 'value'}`)
    if (part[1] === 'tag') holesOf(part[2], holes, plurals)
    if (part[1] === 'plural' || part[1] === 'select' || part[1] === 'ordinal') {
      if (part[1] === 'plural') plurals.push(Object.keys(part[2]))
      for (const inside of Object.values(part[2])) holesOf(inside, holes, plurals)
    }
  }
  if (typeof message !== 'string') message.forEach(visit)
  return { holes: [...holes].sort(), plurals }
}

describe.each(LOCALES)('§1 the interface in %s', (locale) => {
  test.each(SLICES)('%s says everything that English says, with the same holes', (slice) => {
    const english = CATALOGUES['en-US'][slice]
    const own = CATALOGUES[locale][slice]
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort())
    for (const [key, sentence] of Object.entries(own)) {
      const { holes } = holesOf(compile(sentence))
      expect(holes, `${slice}.${key}`).toEqual(holesOf(compile(english[key] as string)).holes)
    }
  })

  test('every plural has all the forms of the language', () => {
    const wanted = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    // Whole figures only reach these; Croatian "other" serves fractions and 5, 6, 7 alike.
    for (const slice of SLICES) {
      for (const [key, sentence] of Object.entries(CATALOGUES[locale][slice])) {
        for (const cases of holesOf(compile(sentence)).plurals) {
          expect(cases, `${slice}.${key}`).toEqual(expect.arrayContaining(wanted))
        }
      }
    }
  })

  test('no sentence is empty, shouts, or ends in a space', () => {
    for (const slice of SLICES) {
      for (const [key, sentence] of Object.entries(CATALOGUES[locale][slice])) {
        expect(sentence, `${slice}.${key}`).toMatch(/^\S(?:[^!]*\S)?$/s)
      }
    }
  })

  test('figures and dates follow the language', () => {
    expect(formats(locale).number(1234567.5)).toBe(new Intl.NumberFormat(locale).format(1234567.5))
    expect(formats(locale).date('2000-02-29')).toContain('29')
  })
})

test('a Croatian date ends in its own full stop, so the sentence adds none', () => {
  const sentences = SLICES.flatMap((slice) =>
    Object.entries(CATALOGUES['hr-HR'][slice]).map(([key, sentence]) => [`${slice}.${key}`, sentence] as const),
  )
  // This one also says the time of day, after which there is no stop.
  const stopped = sentences.filter(
    ([key, sentence]) => key !== 'privacy.state.until' && /\{(?:date|when)\}\./.test(sentence),
  )
  expect(stopped).toEqual([])
})
