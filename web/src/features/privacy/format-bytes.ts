import type { Locale } from '@vrata/contract'

/** Localized size such as "412 kB" or "1.3 MB". */
export function formatBytes(locale: Locale, bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? (['kilobyte', 1000] as const) : (['megabyte', 1_000_000] as const)
  const figures = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
  })
  return figures.format(Math.max(bytes / size, 1))
}
