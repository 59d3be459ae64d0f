import bowser from 'bowser'

/** What a person recognises a device by. */
export interface Device {
  os: string | null
  browser: string | null
}

/** Longer headers are nobody's browser; cutting bounds the work. */
const LONGEST = 512

/** Names the system and the browser of a `User-Agent` header: `{ os: 'macOS', browser: 'Firefox' }`. */
export function deviceOf(header: string | undefined): Device {
  if (!header) return { os: null, browser: null }
  const parser = bowser.getParser(header.slice(0, LONGEST))
  return { os: parser.getOSName() || null, browser: parser.getBrowserName() || null }
}
