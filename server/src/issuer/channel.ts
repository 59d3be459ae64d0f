/** Signals between server processes that their engine's snapshot is stale: keys or scopes changed. */
export const ISSUER_CHANNEL = 'issuer'
