import bowser from 'bowser'

/** The device as shown to users. */
export interface Device {
  os: string | null
  browser: string | null
}

/** Longer headers are truncated, to limit the work. */
const LONGEST = 512

/** Parses operating system and browser of a `User-Agent` header: `{ os: 'macOS', browser: 'Firefox' }`. */
export function deviceOf(header: string | undefined): Device {
  if (!header) return { os: null, browser: null }
  const parser = bowser.getParser(header.slice(0, LONGEST))
  return { os: parser.getOSName() || null, browser: parser.getBrowserName() || null }
}
