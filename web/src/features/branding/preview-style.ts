import { accentTokens } from '@vrata/contract/accent-colors'
import type { Branding } from '@vrata/contract/branding'
import { useEffect } from 'react'

/** The element whose colors and logo are those of the draft. */
export const PREVIEW = 'branding-preview'

/** The accent color of an installation without one. */
export const DELIVERED_ACCENT = '#006867'

/** Colors in the light and in the dark theme, as in `ui/tokens.css`, whose values in the page are those of its own theme. */
export const DELIVERED_COLORS = {
  page: ['#f3f8f7', '#071316'],
  surface: ['#ffffff', '#0e1c1f'],
  sunken: ['#e9f0ef', '#162528'],
  line: ['#d9e2e1', '#233234'],
  edge: ['#80908f', '#67787a'],
  ink: ['#0f2224', '#ecf1f1'],
  muted: ['#4d5f61', '#a5b3b2'],
  brand: ['#006867', '#62d4c9'],
  'brand-strong': ['#004e4f', '#82e6db'],
  'brand-soft': ['#d6f2ef', '#0c3637'],
  'on-brand': ['#ffffff', '#001a1e'],
  accent: ['#f9bb51', '#fbc865'],
  'accent-soft': ['#fff0d0', '#3b2a12'],
  'on-accent': ['#4c2e02', '#fada99'],
  danger: ['#bc2729', '#fb8d87'],
  'danger-soft': ['#ffeae9', '#451e1d'],
  'on-danger': ['#ffffff', '#2a0b0a'],
  ok: ['#1e7546', '#6ed2a0'],
  focus: ['#10908b', '#62d4c9'],
  person: ['#006867', '#005c5c'],
  wall: ['#004145', '#012d31'],
  'wall-low': ['#00272d', '#031a1e'],
  frame: ['#00343a', '#00171b'],
  mark: ['#003f43', '#0f5558'],
  'toast-action': ['#82e6db', '#006867'],
} as const

type Look = Pick<Branding, 'accent' | 'logo' | 'logo_dark'>

/**
 * Style sheet of the preview. The rules of the logo are more specific than those of the page, whose theme may be the
 * other one.
 */
export function previewStyle({ accent, logo, logo_dark }: Look, origin: string): string {
  const root = `.${PREVIEW}`
  const tokens: Record<string, readonly [string, string]> = {
    ...DELIVERED_COLORS,
    ...(accent === null ? {} : accentTokens(accent)),
  }
  const colors = Object.entries(tokens).map(([name, [light, dark]]) => `--color-${name}:light-dark(${light},${dark})`)
  const logoOf = (theme: string, file: string) =>
    `${root}${root}[data-theme=${theme}] .logo{background:url(${origin}/v1/media/${file}?size=128) center/contain no-repeat;width:36px;height:36px}`
  const light = logo ?? logo_dark
  return [
    `${root}{${colors.join(';')}}`,
    light ? `${logoOf('light', light)}${logoOf('dark', logo_dark ?? light)}${root} .logo *{display:none}` : '',
  ].join('')
}

/** Applies a style sheet to the document while the component is shown; the policy allows those that a script constructs. */
export function useStyleSheet(css: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [css])
}

const HEX = /^#[0-9a-f]{6}$/i

/** The color that a typed text means; null while it is none. */
export function colorOf(text: string | null): string | null {
  const typed = text?.trim() ?? ''
  return HEX.test(typed) ? typed.toLowerCase() : null
}
