import { describe, expect, test } from 'vitest'
import { compile, compileAll } from './compile.ts'
import { formats, formatsAt } from './format.ts'
import { formatMessage, formatMessageToParts } from './message.ts'
import { translator } from './translate.ts'

describe('formatMessage', () => {
  test.each([
    [
      '{n, plural, one {znak} two {znaka} few {znaki} other {znakov}}',
      'sl-SI',
      [
        [1, 'znak'],
        [2, 'znaka'],
        [3, 'znaki'],
        [4, 'znaki'],
        [5, 'znakov'],
        [101, 'znak'],
        [102, 'znaka'],
      ],
    ],
    [
      '{n, plural, one {znak} few {znaka} other {znakova}}',
      'hr-HR',
      [
        [1, 'znak'],
        [2, 'znaka'],
        [5, 'znakova'],
        [11, 'znakova'],
        [21, 'znak'],
        [22, 'znaka'],
      ],
    ],
  ] as const)('selects the plural form of the locale: %s', (sentence, locale, cases) => {
    const message = compile(sentence)
    for (const [n, form] of cases) expect(formatMessage(message, locale, { n })).toBe(form)
  })

  test('prefers an exact case, subtracts the offset, and formats # in the locale', () => {
    const message = compile('{n, plural, offset:1 =0 {nobody} =1 {you} one {you and one} other {you and # others}}')
    expect(formatMessage(message, 'en-US', { n: 0 })).toBe('nobody')
    expect(formatMessage(message, 'en-US', { n: 1 })).toBe('you')
    expect(formatMessage(message, 'en-US', { n: 2 })).toBe('you and one')
    expect(formatMessage(message, 'en-US', { n: 2001 })).toBe('you and 2,000 others')
    expect(formatMessage(compile('{n, plural, one {#} two {#} few {#} other {#}}'), 'sl-SI', { n: 20000 })).toBe(
      '20.000',
    )
  })

  test('keeps # of the plural inside a tag', () => {
    const message = compile('{n, plural, one {<b>#</b> door} other {<b># doors</b>}}')
    expect(formatMessage(message, 'en-US', { n: 1 })).toBe('1 door')
    expect(formatMessage(message, 'en-US', { n: 7 })).toBe('7 doors')
  })

  test('inserts values verbatim, without parsing or markup', () => {
    expect(formatMessage(compile('Hello {name}'), 'en-US', { name: '<b>{name}</b>' })).toBe('Hello <b>{name}</b>')
  })

  test('returns parts in which the caller renders the tags', () => {
    const message = compile('Email already exists. <a>Click <b>here</b></a>')
    const made = formatMessageToParts<object>(message, 'en-US', { a: (inside) => ({ a: inside }) })
    expect(made).toEqual(['Email already exists. ', { a: ['Click ', 'here'] }])
    expect(formatMessage(message, 'en-US')).toBe('Email already exists. Click here')
  })

  test('shows the name of a missing value', () => {
    expect(formatMessage(compile('Hello {name}'), 'en-US')).toBe('Hello {name}')
  })

  test('names the key of an invalid sentence', () => {
    expect(() => compileAll({ 'login.title': '{n, plural, one {x}}' })).toThrow('login.title')
  })
})

describe('formats', () => {
  const now = Date.UTC(2026, 10, 21, 12)
  test.each([
    ['en-US', -30, 'now'],
    ['en-US', -3600 * 3, '3 hours ago'],
    ['sl-SI', -86_400 * 2, 'predvčerajšnjim'],
    ['hr-HR', -86_400, 'jučer'],
    ['sl-SI', 60 * 5, 'čez 5 minut'],
  ] as const)('formats relative time in %s: %d seconds as "%s"', (locale, seconds, words) => {
    expect(formats(locale).relative(now + seconds * 1000, now)).toBe(words)
  })

  test.each([
    ['2026-11-19T13:00:00Z', '2 days ago'],
    ['2026-11-20T00:00:00Z', 'yesterday'],
    ['2026-11-22T23:00:00Z', 'tomorrow'],
    ['2026-11-23T01:00:00Z', 'in 2 days'],
    // In the week, the month and the year before the last one.
    ['2026-11-08T12:00:00Z', '1 week ago'],
    ['2026-09-25T12:00:00Z', '1 month ago'],
    ['2024-12-30T12:00:00Z', '1 year ago'],
  ])('names days by the calendar, and longer times by their number: %s is "%s"', (at, words) => {
    expect(formatsAt('en-US', now).relative(at)).toBe(words)
  })

  test('formats a date without a time as the same day in every time zone', () => {
    expect(formats('en-US').date('2000-02-29')).toBe('February 29, 2000')
    expect(formats('sl-SI').date('2000-02-29')).toBe('29. februarja 2000')
  })

  test('formats Slovenian dates in the genitive', () => {
    const month = (number: number) => formats('sl-SI').date(`2026-${String(number).padStart(2, '0')}-28`)
    expect([1, 2, 3, 4, 5, 7, 8, 9, 10, 12].map(month).join()).toBe(
      '28. januarja 2026,28. februarja 2026,28. marca 2026,28. aprila 2026,28. maja 2026,28. julija 2026,28. avgusta 2026,28. septembra 2026,28. oktobra 2026,28. decembra 2026',
    )
    expect(formats('sl-SI').dateTime('2026-11-28T12:00:00')).toBe('28. novembra 2026 ob 12:00')
    expect(formats('sl-SI').date('2026-11-28', 'full')).toBe('sobota, 28. november 2026')
  })

  test('formats lists and country names', () => {
    expect(formats('hr-HR').list(['Ana', 'Bor', 'Cvetka'])).toBe('Ana, Bor i Cvetka')
    expect(formats('sl-SI').country('HR')).toBe('Hrvaška')
  })
})

test('translator translates a sentence into each locale', () => {
  expect(translator('sl-SI')('ui.more_characters', { count: 2 })).toBe('Še 2 znaka')
  expect(translator('hr-HR')('problems.invalid_token')).toBe('Poveznica nije valjana.')
})

test('a name of a right-to-left language does not move the words and figures after it', () => {
  const times = compile('{what}, {count, plural, one {# sign-in} other {# sign-ins}}')
  expect(formatMessage(times, 'en-US', { what: 'תטביק', count: 14 })).toBe('\u2068תטביק\u2069, 14 sign-ins')
  expect(formatMessage(times, 'en-US', { what: 'تطبيق', count: 14 })).toBe('\u2068تطبيق\u2069, 14 sign-ins')
  expect(formatMessage(times, 'en-US', { what: 'Žabe 🐸', count: 14 })).toBe('Žabe 🐸, 14 sign-ins')
})
