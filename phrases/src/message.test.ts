import { describe, expect, test } from 'vitest'
import { compile, compileAll } from './compile.ts'
import { formats } from './format.ts'
import { say, sayRich } from './message.ts'
import { translator } from './translate.ts'

describe('a compiled sentence', () => {
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
  ] as const)('chooses the plural form of the language: %s', (sentence, locale, cases) => {
    const message = compile(sentence)
    for (const [n, form] of cases) expect(say(message, locale, { n })).toBe(form)
  })

  test('prefers an exact figure, takes the offset off, and writes # the way of the language', () => {
    const message = compile('{n, plural, offset:1 =0 {nobody} =1 {you} one {you and one} other {you and # others}}')
    expect(say(message, 'en-US', { n: 0 })).toBe('nobody')
    expect(say(message, 'en-US', { n: 1 })).toBe('you')
    expect(say(message, 'en-US', { n: 2 })).toBe('you and one')
    expect(say(message, 'en-US', { n: 2001 })).toBe('you and 2,000 others')
    expect(say(compile('{n, plural, one {#} two {#} few {#} other {#}}'), 'sl-SI', { n: 20000 })).toBe('20.000')
  })

  test('keeps # of the plural inside a tag', () => {
    const message = compile('{n, plural, one {<b>#</b> door} other {<b># doors</b>}}')
    expect(say(message, 'en-US', { n: 1 })).toBe('1 door')
    expect(say(message, 'en-US', { n: 7 })).toBe('7 doors')
  })

  test('puts names in as they are: no markup, no second reading', () => {
    expect(say(compile('Hello {name}'), 'en-US', { name: '<b>{name}</b>' })).toBe('Hello <b>{name}</b>')
  })

  test('hands parts to a page: tags become whatever the page makes of them', () => {
    const message = compile('Email already exists. <a>Click <b>here</b></a>')
    const made = sayRich<object>(message, 'en-US', { a: (inside) => ({ a: inside }) })
    expect(made).toEqual(['Email already exists. ', { a: ['Click ', 'here'] }])
    expect(say(message, 'en-US')).toBe('Email already exists. Click here')
  })

  test('shows the name of a value that was forgotten', () => {
    expect(say(compile('Hello {name}'), 'en-US')).toBe('Hello {name}')
  })

  test('a broken sentence names its key', () => {
    expect(() => compileAll({ 'login.title': '{n, plural, one {x}}' })).toThrow('login.title')
  })
})

describe('words of the platform', () => {
  const now = Date.UTC(2026, 10, 21, 12)
  test.each([
    ['en-US', -30, 'now'],
    ['en-US', -3600 * 3, '3 hours ago'],
    ['sl-SI', -86_400 * 2, 'predvčerajšnjim'],
    ['hr-HR', -86_400, 'jučer'],
    ['sl-SI', 60 * 5, 'čez 5 minut'],
  ] as const)('%s says %d seconds as "%s"', (locale, seconds, words) => {
    expect(formats(locale).relative(now + seconds * 1000, now)).toBe(words)
  })

  test('a birthday is the same day in every zone', () => {
    expect(formats('en-US').date('2000-02-29')).toBe('February 29, 2000')
    expect(formats('sl-SI').date('2000-02-29')).toBe('29. februarja 2000')
  })

  test('Slovenian says a date in the genitive, as after "do"', () => {
    const month = (number: number) => formats('sl-SI').date(`2026-${String(number).padStart(2, '0')}-28`)
    expect([1, 2, 3, 4, 5, 7, 8, 9, 10, 12].map(month).join()).toBe(
      '28. januarja 2026,28. februarja 2026,28. marca 2026,28. aprila 2026,28. maja 2026,28. julija 2026,28. avgusta 2026,28. septembra 2026,28. oktobra 2026,28. decembra 2026',
    )
    expect(formats('sl-SI').moment('2026-11-28T12:00:00')).toBe('28. novembra 2026 ob 12:00')
    expect(formats('sl-SI').date('2026-11-28', 'full')).toBe('sobota, 28. november 2026')
  })

  test('lists and countries', () => {
    expect(formats('hr-HR').list(['Ana', 'Bor', 'Cvetka'])).toBe('Ana, Bor i Cvetka')
    expect(formats('sl-SI').country('HR')).toBe('Hrvaška')
  })
})

test('the server says any sentence in any language', () => {
  expect(translator('sl-SI')('ui.more_characters', { count: 2 })).toBe('Še 2 znaka')
  expect(translator('hr-HR')('problems.invalid_token')).toBe('Poveznica nije valjana.')
})
