/** Kept apart from the passkey library, so that pages can check support without loading it. */
export function passkeysSupported(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function'
}
