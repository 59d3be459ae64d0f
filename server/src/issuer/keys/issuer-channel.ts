/** The signal that signing keys have changed, so that the provider snapshot is stale. */
export const ISSUER_CHANNEL = 'issuer'
