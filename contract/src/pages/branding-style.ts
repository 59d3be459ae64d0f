import type { PublicBranding } from '../calls/branding.ts'

/**
 * Style sheet with colors and logo of an installation; empty where both are as delivered. The logo takes the place of the
 * one that has the class `logo`. `origin`: of the API, when it is another one. `prefix`: of the names of color tokens.
 */
export function brandingStyle(
  { colors = {}, logo, logo_dark }: PublicBranding,
  { origin = '', prefix = '--color-' }: { origin?: string; prefix?: string } = {},
): string {
  const tokens = Object.entries(colors).map(([name, [light, dark]]) => `${prefix}${name}:light-dark(${light},${dark})`)
  const url = (file: string) => `url(${origin}/v1/media/${file}?size=128)`
  const dark = (file: string) => `.logo{background-image:${url(file)}}`
  const first = logo ?? logo_dark
  return [
    tokens.length > 0 ? `:root{${tokens.join(';')}}` : '',
    first ? `.logo{background:${url(first)} center/contain no-repeat;width:36px;height:36px}.logo *{display:none}` : '',
    logo && logo_dark
      ? `@media(prefers-color-scheme:dark){:root:not([data-theme=light]) ${dark(logo_dark)}}[data-theme=dark] ${dark(logo_dark)}`
      : '',
  ].join('')
}
