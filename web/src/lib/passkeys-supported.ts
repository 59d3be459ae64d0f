/** Apart from what passkeys need otherwise: pages that only show the way must stay light. */
export function passkeysSupported(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function'
}
