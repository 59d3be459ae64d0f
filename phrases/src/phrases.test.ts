import { LOCALES } from '@vrata/contract/locales'
import { describe, expect, test } from 'vitest'
import { compile } from './compile.ts'
import { formats } from './format.ts'
import type { PhraseFile } from './keys.ts'
import type { Message, Part } from './message.ts'
import { CATALOGS, translator } from './translate.ts'

const FILES = Object.keys(CATALOGS['en-US']) as PhraseFile[]

/** Every argument of a message as `name kind`, and the cases of each of its plurals. */
function argumentsOf(message: Message, args = new Set<string>(), plurals: string[][] = []) {
  const visit = (part: Part) => {
    if (typeof part === 'string' || part === 0) return
    args.add(`${part[0]} ${part[1] === 'tag' ? 'tag' : 'value'}`)
    if (part[1] === 'tag') argumentsOf(part[2], args, plurals)
    if (part[1] === 'plural' || part[1] === 'select' || part[1] === 'ordinal') {
      if (part[1] === 'plural') plurals.push(Object.keys(part[2]))
      for (const inside of Object.values(part[2])) argumentsOf(inside, args, plurals)
    }
  }
  if (typeof message !== 'string') message.forEach(visit)
  return { args: [...args].sort(), plurals }
}

describe('the name of the installation', () => {
  test('takes the place of ours, whatever it consists of, but not in values and not where the software is described', () => {
    const say = translator('en-US', '$& "{Acme}" \\')
    expect(say('ui.product')).toBe('$& "{Acme}" \\')
    expect(say('connections.title', { app: 'Vrata' })).toBe('Vrata wants to use your $& "{Acme}" \\ account')
    expect(say('developers.intro.title')).toBe('Vrata for developers')
    expect(translator('en-US')('ui.product')).toBe('Vrata')
  })

  // Names are not declined: a common noun before them is (docs/guides/writing.md).
  test.each(['sl-SI', 'hr-HR'] as const)('follows a common noun in %s', (locale) => {
    const bare = FILES.filter((file) => file !== 'developers').flatMap((file) =>
      Object.entries(CATALOGS[locale][file])
        .filter(([key, text]) => text !== 'Vrata' && !/developers$/.test(key) && /Vrata/.test(text))
        .filter(
          ([, text]) =>
            !/(račun\p{L}*|[Ss]torit\p{L}+|[Uu]slu\p{L}+|stran\p{L}*|programa|ne|besedo|riječ) Vrata/u.test(text),
        )
        .map(([key, text]) => `${file}.${key}: ${text}`),
    )
    expect(bare).toEqual([])
  })
})

describe.each(LOCALES)('sentences in %s', (locale) => {
  test.each(FILES)('%s has the same keys and arguments as in English', (file) => {
    const english = CATALOGS['en-US'][file]
    const own = CATALOGS[locale][file]
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort())
    for (const [key, sentence] of Object.entries(own)) {
      const { args } = argumentsOf(compile(sentence))
      expect(args, `${file}.${key}`).toEqual(argumentsOf(compile(english[key] as string)).args)
    }
  })

  test('every plural has all categories of the locale', () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    // All categories are required, also those that only fractions reach.
    for (const file of FILES) {
      for (const [key, sentence] of Object.entries(CATALOGS[locale][file])) {
        for (const cases of argumentsOf(compile(sentence)).plurals) {
          expect(cases, `${file}.${key}`).toEqual(expect.arrayContaining(categories))
        }
      }
    }
  })

  test('no sentence is empty, contains an exclamation mark, or ends in a space', () => {
    for (const file of FILES) {
      for (const [key, sentence] of Object.entries(CATALOGS[locale][file])) {
        expect(sentence, `${file}.${key}`).toMatch(/^\S(?:[^!]*\S)?$/s)
      }
    }
  })

  test('numbers and dates are formatted in the locale', () => {
    expect(formats(locale).number(1234567.5)).toBe(new Intl.NumberFormat(locale).format(1234567.5))
    expect(formats(locale).date('2000-02-29')).toContain('29')
  })
})

test('a language name is capitalized as a label and at the start of a list', () => {
  expect(formats('sl-SI').language('sl')).toBe('Slovenščina')
  expect(formats('hr-HR').languages(['hr', 'en'])).toBe('Hrvatski, engleski')
  expect(formats('en-US').languages(['sl', 'en'])).toBe('Slovenian, English')
})

test.each([
  ['policy.locked_out', { locked_out: 0, people: 1 }, 'The only person has another way to sign in.'],
  ['policy.locked_out', { locked_out: 0, people: 21 }, 'All 21 people have another way to sign in.'],
  ['system.configuration.locked_out', { locked_out: 1, people: 1 }, 'The only person could no longer sign in.'],
  ['system.configuration.locked_out', { locked_out: 1, people: 21 }, '1 of 21 people could no longer sign in.'],
  ['system.configuration.locked_out', { locked_out: 2, people: 21 }, '2 of 21 people could no longer sign in.'],
] as const)('the people of an installation are counted in English: %s %o', (key, counts, sentence) => {
  expect(translator('en-US')(key, counts)).toBe(sentence)
})

test.each([
  [12, 'znakova'],
  [21, 'znak'],
  [24, 'znaka'],
])('the characters of the shortest password are counted in Croatian: %i %s', (min, noun) => {
  const sentence = `Lozinka mora imati najmanje ${min} ${noun}.`
  expect(translator('hr-HR')('problems.password_too_short', { min })).toBe(sentence)
})

test('a country has the name that Chromium has as well', () => {
  const names = (['HK', 'MO', 'PS', 'FK', 'MM', 'GB'] as const).map(formats('en-US').country)
  expect(names).toEqual(['Hong Kong', 'Macao', 'Palestine', 'Falkland Islands', 'Myanmar (Burma)', 'United Kingdom'])
})

test('a label inside a sentence begins in lower case, and an abbreviation keeps its capitals', () => {
  expect(formats('en-US').inText('See your email address')).toBe('see your email address')
  expect(formats('sl-SI').inText('E-\u2060naslov')).toBe('e-\u2060naslov')
  expect(formats('en-US').inText('PKCE')).toBe('PKCE')
})

test.each(['sl-SI', 'hr-HR'] as const)(
  'a mail goes on in lower case after the greeting, which ends in a comma (%s)',
  (locale) => {
    const texts = Object.entries(CATALOGS[locale].mail).filter(([key]) => key.endsWith('.text'))
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter(([, text]) => /^\p{Lu}/u.test(text)).map(([key]) => key)).toEqual([])
  },
)

test.each(['sl-SI', 'hr-HR'] as const)('e-naslov, e-adresa and e-pošta stay on one line (%s)', (locale) => {
  const broken = FILES.flatMap((file) =>
    Object.entries(CATALOGS[locale][file])
      .map(([key, text]) => [`${file}.${key}`, text] as const)
      // Programs for mail may draw the word joiner as a box.
      .filter(([key, text]) => !/^(?:branding\.)?mail\./.test(key) && /(?<!\p{L})e-(?:naslov|adres|pošt)/iu.test(text)),
  )
  expect(broken).toEqual([])
})

test('no Croatian sentence adds a full stop to a date, which ends in one', () => {
  const sentences = FILES.flatMap((file) =>
    Object.entries(CATALOGS['hr-HR'][file]).map(([key, sentence]) => [`${file}.${key}`, sentence] as const),
  )
  // Here the date is followed by the time of day, which ends in no full stop.
  const withTime = ['privacy.state.until', 'plain-pages.factors.text']
  const withTwoStops = sentences.filter(
    ([key, sentence]) => !withTime.includes(key) && /\{(?:date|when)\}\./.test(sentence),
  )
  expect(withTwoStops).toEqual([])
})
