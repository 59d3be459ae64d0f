import { describe, expect, test } from 'vitest'
import { accentPairs, accentTokens, contrastOf, READABLE } from './accent-colors.ts'

/** Combinations of these values of the three channels, and every third gray. */
const STEPS = [0, 40, 90, 140, 190, 235, 255]
const hex = (...channels: number[]) => `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`
const MANY = [
  ...STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => hex(red, green, blue)))),
  ...Array.from({ length: 86 }, (_, at) => hex(at * 3, at * 3, at * 3)),
]

/** Grounds and texts of `web/src/ui/tokens.css`. */
const PAGES = [
  { theme: 'light', at: 0, grounds: ['#f3f8f7', '#ffffff', '#e9f0ef'], ink: '#0f2224' },
  { theme: 'dark', at: 1, grounds: ['#071316', '#0e1c1f', '#162528'], ink: '#ecf1f1' },
] as const

describe('an accent color', () => {
  test.each(PAGES)('is readable as text and as a button in the $theme theme, whichever it is', (page) => {
    const unreadable = MANY.flatMap((accent) => {
      const { color, on_color } = accentPairs(accent)[page.theme]
      const tokens = accentTokens(accent)
      const of = (token: string) => tokens[token]?.[page.at] ?? ''
      const pairs = [
        ...[...page.grounds, of('brand-soft')].map((ground) => [color, ground]),
        [on_color, color],
        [of('on-brand'), of('brand-strong')],
        [page.ink, of('brand-soft')],
        [of('toast-action'), page.ink],
        ['#ffffff', of('person')],
        ['#ffffff', of('wall')],
        ['#ffffff', of('wall-low')],
      ] as [string, string][]
      return pairs.filter(([one, other]) => !(contrastOf(one, other) >= READABLE)).map((pair) => [accent, ...pair])
    })
    expect(unreadable).toEqual([])
  })

  test('stays as it was chosen where it is readable, and says where it is not', () => {
    expect(accentPairs('#7a1fa2')).toMatchObject({
      light: { color: '#7a1fa2', adjusted: false },
      dark: { adjusted: true },
    })
    expect(accentPairs('#ffd54f')).toMatchObject({
      light: { adjusted: true },
      dark: { color: '#ffd54f', adjusted: false },
    })
    expect(accentPairs('#000000').dark).toMatchObject({ adjusted: true })
  })

  test('keeps its hue when it is adjusted', () => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      Number.parseInt(accentPairs('#ff0000').light.color.slice(at, at + 2), 16),
    )
    expect(red).toBeGreaterThan(180)
    expect(Math.max(green, blue)).toBeLessThan(60)
  })

  test('is compared as WCAG defines it', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastOf('#ffffff', '#777777')).toBe(contrastOf('#777777', '#ffffff'))
  })
})
