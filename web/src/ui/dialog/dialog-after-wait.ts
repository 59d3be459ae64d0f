import { showDialog } from './show-dialog.ts'

let latest = 0

/**
 * `showDialog` for a dialog that needs an answer of the server first: call this before the wait, and what it returns after it. Where the page
 * has been left meanwhile, or another wait has begun, as by a second click, no dialog appears, as if it had been canceled.
 */
export function dialogAfterWait(): typeof showDialog {
  const wait = ++latest
  const { pathname } = location
  return async (options) => (wait === latest && location.pathname === pathname ? await showDialog(options) : null)
}
