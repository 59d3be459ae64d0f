const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address is on this computer, or on a host that the app uses already. */
export function isOwnHost(address: string, known: readonly string[]): boolean {
  const url = URL.parse(address)
  if (!url?.hostname) return false
  return LOOPBACK.has(url.hostname) || known.some((one) => URL.parse(one)?.host === url.host)
}
