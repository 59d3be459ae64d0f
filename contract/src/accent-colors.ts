/** One color of an installation as a readable pair for a theme: text in `color` on any ground of the theme, `on_color` on it. */
export type AccentPair = {
  color: string
  on_color: string
  /** The chosen color was not readable here, so its lightness was changed. */
  adjusted: boolean
}

/** Least contrast of text (WCAG 2.2 §1.4.3). */
export const READABLE = 4.5

/** Grounds of text per theme (`web/src/ui/tokens.css`): page, surface, sunken. */
const GROUNDS = { light: ['#f3f8f7', '#ffffff', '#e9f0ef'], dark: ['#071316', '#0e1c1f', '#162528'] } as const
const ON = { light: '#ffffff', dark: '#04090b' } as const
/** Lightness and most chroma of colored grounds (OKLCH). */
const SOFT: Record<Theme, readonly [number, number]> = { light: [0.945, 0.032], dark: [0.315, 0.055] }
/** Steps of lightness when a color is made readable. */
const STEP = 0.004

export type Theme = keyof typeof GROUNDS
type Color = { lightness: number; a: number; b: number }

/** The pairs of an accent color (`#rrggbb`): hue and chroma stay, the lightness changes as little as possible. */
export function accentPairs(accent: string): Record<Theme, AccentPair> {
  return { light: pairFor(accent, 'light'), dark: pairFor(accent, 'dark') }
}

/** Values of the color tokens of the pages that follow the accent color: for the light and for the dark theme. */
export function accentTokens(accent: string): Record<string, [light: string, dark: string]> {
  const { light, dark } = accentPairs(accent)
  const ground = (lightness: number, most = 0.06) => tinted(accent, lightness, most)
  return {
    brand: [light.color, dark.color],
    'brand-strong': [lightened(light.color, -0.09), lightened(dark.color, 0.06)],
    'brand-soft': [ground(...SOFT.light), ground(...SOFT.dark)],
    'on-brand': [light.on_color, dark.on_color],
    focus: [light.color, dark.color],
    person: [light.color, light.color],
    wall: [ground(0.34), ground(0.27)],
    'wall-low': [ground(0.25), ground(0.2)],
    frame: [ground(0.3), ground(0.19)],
    mark: [ground(0.33), ground(0.41)],
    // On the ground of toasts, which has the color of text.
    'toast-action': [lightened(dark.color, 0.06), light.color],
  }
}

/** Contrast of two colors, 1 to 21 (WCAG 2.2, definition of contrast ratio). */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function pairFor(accent: string, theme: Theme): AccentPair {
  const grounds = [...GROUNDS[theme], tinted(accent, ...SOFT[theme])]
  const isReadable = (color: string) => grounds.every((ground) => contrastOf(color, ground) >= READABLE)
  const chosen = toColor(accent)
  let color = accent
  for (let { lightness } = chosen; !isReadable(color); color = toHex({ ...chosen, lightness }))
    lightness += theme === 'light' ? -STEP : STEP
  return { color, on_color: ON[theme], adjusted: color !== accent }
}

/** A ground in the hue of the accent color, with at most this chroma. */
function tinted(accent: string, lightness: number, most: number): string {
  const { a, b } = toColor(accent)
  const chroma = Math.hypot(a, b)
  const factor = chroma > most ? most / chroma : 1
  return toHex({ lightness, a: a * factor, b: b * factor })
}

function lightened(color: string, by: number): string {
  const { lightness, ...rest } = toColor(color)
  return toHex({ ...rest, lightness: Math.min(1, Math.max(0, lightness + by)) })
}

function channels(color: string): [number, number, number] {
  const linear = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [linear(1), linear(3), linear(5)]
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** OKLab of a color in sRGB (CSS Color 4 §9.3). */
function toColor(color: string): Color {
  const [red, green, blue] = channels(color)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  }
}

/** The nearest color of sRGB with this lightness and hue: chroma is reduced until the screen can show it. */
function toHex({ lightness, a, b }: Color): string {
  if (lightness <= 0) return '#000000'
  if (lightness >= 1) return '#ffffff'
  for (let factor = 1; ; factor -= 0.02) {
    const shown = toLinear({ lightness, a: a * Math.max(0, factor), b: b * Math.max(0, factor) })
    if (factor > 0 && shown.some((value) => value < -0.0005 || value > 1.0005)) continue
    return `#${shown.map(toByte).join('')}`
  }
}

function toLinear({ lightness, a, b }: Color): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function toByte(linear: number): string {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0')
}
