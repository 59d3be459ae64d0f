const BROWSERS = { Edge: /Edg\//, Firefox: /Firefox\//, Chrome: /Chrome\//, Safari: /Safari\// }
const SYSTEMS = {
  Android: /Android/,
  iPhone: /iPhone/,
  iPad: /iPad/,
  Mac: /Mac OS X/,
  Windows: /Windows/,
  Linux: /Linux/,
}

/** Default name of a passkey, for example "Chrome, Windows". */
export function deviceName(): string {
  const firstMatch = (words: Record<string, RegExp>) =>
    Object.keys(words).find((word) => words[word]?.test(navigator.userAgent))
  return [firstMatch(BROWSERS), firstMatch(SYSTEMS)].filter(Boolean).join(', ') || 'Passkey'
}
