import { isLoopbackHostname } from '@vrata/contract/loopback'

/** `other`: links in mails and apps lead elsewhere. `http`: not encrypted, and not on this machine only. */
export type AddressFact = 'same' | 'other' | 'http'

/** Facts about the public address of an installation whose page is open under `origin`. */
export function addressFacts(address: string, origin: string): AddressFact[] {
  const { origin: own, protocol, hostname } = new URL(address)
  const local = isLoopbackHostname(hostname)
  return [origin === own ? 'same' : 'other', ...(protocol === 'http:' && !local ? (['http'] as const) : [])]
}
