import { createHash } from 'node:crypto'

/** The hash source that allows one inline style or script (CSP Level 3 §2.3.1). */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
