import { describe, expect, test } from 'vitest'
import { entityName, line, origin, pageUrl, personName, redirectUri } from './fields.ts'

const messageOf = (schema: typeof redirectUri | typeof origin | typeof pageUrl, value: string) =>
  schema.safeParse(value).error?.issues[0]?.message

describe('a redirect URI', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example/callback?tenant=a%20b',
    'https://app.example:8443/callback',
    'http://localhost:4000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:5000/',
    'com.example.app:/callback',
    'com.example.app://callback',
  ])('may be %s', (value) => {
    expect(redirectUri.parse(value)).toBe(value)
  })

  test.each([
    ['callback', 'invalid_url'],
    ['/callback', 'invalid_url'],
    ['//app.example/callback', 'invalid_url'],
    ['https:app.example', 'invalid_url'],
    ['https:///app.example', 'invalid_url'],
    ['https://app.example\\@evil.example/', 'invalid_url'],
    ['https://app.example/a b', 'invalid_url'],
    ['https://app.example/\ta', 'invalid_url'],
    ['https://app.example/x/../callback', 'invalid_url'],
    ['https://app.example/%2e%2e/callback', 'invalid_url'],
    ['HTTPS://App.Example/callback', 'invalid_url'],
    ['https://čaj.example/', 'invalid_url'],
    ['https://app.example/#done', 'no_fragment'],
    ['https://app.example/#', 'no_fragment'],
    ['https://*.example/callback', 'no_wildcard'],
    ['https://app.example/*', 'no_wildcard'],
    ['https://ana@app.example/', 'no_credentials'],
    ['https://ana:geslo@app.example/', 'no_credentials'],
    ['http://app.example/', 'https_required'],
    ['http://localhost.evil.example/', 'https_required'],
    ['http://127.0.0.1.evil.example/', 'https_required'],
    ['myapp:/callback', 'private_scheme'],
    ['javascript:alert(1)', 'private_scheme'],
    ['JavaScript:alert(1)', 'invalid_url'],
    ['java\nscript:alert(1)', 'invalid_url'],
    ['data:text/html,hi', 'private_scheme'],
    ['file:///etc/passwd', 'private_scheme'],
  ])('may not be %j (%s)', (value, code) => {
    expect(messageOf(redirectUri, value)).toBe(code)
  })

  test('holds whatever is put together: what is accepted is safe, and reads the same to a browser', () => {
    const random = generator(20261121)
    let accepted = 0
    for (let round = 0; round < 20_000; round += 1) {
      const value = Array.from({ length: 1 + random(6) }, () => PIECES[random(PIECES.length)]).join('')
      const parsed = redirectUri.safeParse(value)
      if (!parsed.success) continue
      accepted += 1
      const url = new URL(parsed.data)
      expect([url.href, url.href.replace(/\/$/, '')], value).toContain(parsed.data)
      expect(url.hash + url.username + url.password, value).toBe('')
      expect(parsed.data, value).not.toMatch(/[\s*#\\\u0000]/)
      const safe =
        url.protocol === 'https:' ||
        (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) ||
        /^[a-z0-9-]+\.[a-z0-9.+-]+:$/.test(url.protocol)
      expect(safe, value).toBe(true)
    }
    expect(accepted).toBeGreaterThan(100)
  })
})

/** Whole addresses and what people, and worse, put before, between and after. */
const PIECES = [
  'https://',
  'http://',
  'https:',
  'HTTPS://',
  'javascript:',
  'com.example.app:',
  'localhost',
  '127.0.0.1',
  '[::1]',
  'app.example',
  'xn--aj-joa.example',
  'čaj.example',
  '0x7f.1',
  '@',
  ':',
  ':443',
  ':8080',
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '\\',
  '?a=b',
  '#',
  '*',
  '%00',
  '\u0000',
  '\t',
  ' ',
  '\u202e',
  'callback',
]

/** Small figures in an order that is the same at every run (mulberry32). */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

describe('a name', () => {
  test.each([
    'Ana',
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Kras d.o.o.',
    'Novak, s.p.',
    'dr. Ana Kovač',
    'Ph.D. Ana',
    "O'Brien-Žižek",
    'Notes 2.0',
    'Sign in: Burja/Bora',
    'Što? Ne!',
    '山田 太郎',
  ])('may be %s', (value) => {
    expect(entityName.parse(value)).toBe(value)
  })

  test.each([
    'https://evil.example',
    'Visit evil.example now',
    'evil.example/login',
    'www.evil',
    'WWW.EVIL.EXAMPLE',
    'Booking.com',
    'ana@evil.example',
    'bančna-pomoč.si',
    'пример.рф',
    'evil.xn--p1ai',
    'ｅｖｉｌ．ｃｏｍ',
    'evil。com',
    't.co/abc',
    'javascript://x',
  ])('may not be %s', (value) => {
    expect(entityName.safeParse(value).error?.issues[0]?.message).toBe('web_address')
    expect(personName.safeParse(value).error?.issues[0]?.message).toBe('web_address')
  })

  test('has at most 60 characters', () => {
    expect(personName.safeParse('a'.repeat(60)).success).toBe(true)
    expect(personName.safeParse('a'.repeat(61)).error?.issues[0]?.code).toBe('too_big')
    expect(personName.safeParse('').success).toBe(true)
    expect(entityName.safeParse('').success).toBe(false)
  })
})

describe('an origin', () => {
  test.each([
    ['https://app.example', 'https://app.example'],
    ['https://app.example/', 'https://app.example'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['http://localhost:4000', 'http://localhost:4000'],
    // Browsers send an origin in this form only.
    ['https://App.Example:443', 'https://app.example'],
    ['https://čipka.example', 'https://xn--ipka-fua.example'],
  ])('may be %s', (value, stored) => {
    expect(origin.parse(value)).toBe(stored)
  })

  test.each([
    ['https://app.example/callback', 'no_path'],
    ['https://app.example?x', 'no_path'],
    ['https://ana@app.example', 'no_path'],
    ['https://*.example', 'no_wildcard'],
    ['http://app.example', 'https_required'],
    ['com.example.app:/', 'invalid_url'],
    ['null', 'invalid_url'],
    ['', 'Too small: expected string to have >=1 characters'],
  ])('may not be %j (%s)', (value, code) => {
    expect(messageOf(origin, value)).toBe(code)
  })
})

describe('ASVS 1.2.2 a page to link to', () => {
  test.each(['https://app.example/about#us', 'http://localhost:4000/'])('may be %s', (value) => {
    expect(pageUrl.parse(value)).toBe(value)
  })

  test.each([
    ['javascript:alert(1)', 'invalid_url'],
    ['javascript://app.example/%0aalert(1)', 'https_required'],
    ['jAvAsCrIpT:alert(1)', 'invalid_url'],
    ['\u0001javascript:alert(1)', 'invalid_url'],
    ['data:text/html,hi', 'invalid_url'],
    ['https:app.example', 'invalid_url'],
    ['http://app.example/', 'https_required'],
    ['https://ana:geslo@app.example/', 'no_credentials'],
  ])('may not be %j (%s)', (value, code) => {
    expect(messageOf(pageUrl, value)).toBe(code)
  })
})

describe('a line of text', () => {
  test.each([
    'Ana\r\nBcc: eve@evil.example',
    'Ana\nNovak',
    'Ana\u2028Novak',
    'Ana\u2029Novak',
    'Ana\u0085Novak',
    'Ana\u0000',
    'Ana\u001b[31m',
    'Ana\u009b31m',
    'Ana\u202eNovak',
  ])('has no line break, control or bidirectional character: %j', (value) => {
    expect(line(100).safeParse(value).success).toBe(false)
  })

  test.each(['\u200b', '\u00ad\u2060', '\u3164', '\u2800', '\u200e \u200f', '\u{e0041}', '\u0301'])(
    'shows something, or is empty: %j',
    (value) => {
      for (const min of [0, 1]) expect(line(100, min).safeParse(value).success).toBe(false)
    },
  )

  test('is empty only where it is not required', () => {
    expect([line(100).safeParse('').success, line(100, 1).safeParse('').success]).toEqual([true, false])
  })

  test.each(['a', '山', '👩‍🚀', '_', 'نام‌ها'])('is %j', (value) => {
    expect(line(100, 1).parse(value)).toBe(value)
  })
})
