import type { Signals } from '../../db/signals/signals.ts'

/** The signal that scopes were defined or removed. Its payload is their keys, separated by spaces. */
export const SCOPES_CHANNEL = 'scopes'

/** Keys have at most 100 characters, and a signal at most 8000 bytes. */
const KEYS_PER_SIGNAL = 70

/** Announces keys of scopes that were defined or removed, in as many signals as they need. */
export async function announceScopes(signals: Signals, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += KEYS_PER_SIGNAL) {
    await signals.announce(SCOPES_CHANNEL, keys.slice(from, from + KEYS_PER_SIGNAL).join(' '))
  }
}
