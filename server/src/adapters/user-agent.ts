import bowser from 'bowser'

/** The device as shown to users. */
export interface Device {
  os: string | null
  browser: string | null
}

/** Longer headers are truncated, to limit the work. */
const LONGEST = 512

/**
 * The names that `bowser` gives, with those that its list lacks. For a program that it does not know it answers a part of the header: any text,
 * which would appear in mails to an unconfirmed address, and where a person approves a sign-in (decision 0016).
 */
const BROWSERS: ReadonlySet<string> = new Set([
  ...Object.values(bowser.BROWSER_MAP),
  ...['Miui', 'Opera Touch', 'PlayStation 4', 'SlimerJS'],
])

/** Parses operating system and browser of a `User-Agent` header: `{ os: 'macOS', browser: 'Firefox' }`. Null for an unknown one. */
export function deviceOf(header: string | undefined): Device {
  if (!header) return { os: null, browser: null }
  const parser = bowser.getParser(header.slice(0, LONGEST))
  const browser = parser.getBrowserName()
  return { os: parser.getOSName() || null, browser: BROWSERS.has(browser) ? browser : null }
}
