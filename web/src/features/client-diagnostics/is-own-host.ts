import { isLoopbackHostname } from '@vrata/contract/loopback'

/** Whether an address is on this computer or on a host that the app already uses. */
export function isOwnHost(address: string, known: readonly string[]): boolean {
  const url = URL.parse(address)
  if (!url?.hostname) return false
  return isLoopbackHostname(url.hostname) || known.some((one) => URL.parse(one)?.host === url.host)
}
