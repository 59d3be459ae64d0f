import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { system } from '@vrata/contract'
import type { Config } from '../config/config.ts'
import { trustedProxies, withoutPort } from '../http/client-ip.ts'
import { isLoopbackAddress } from '../lib/loopback.ts'

/** The address that the doctor invents in `X-Forwarded-For`: one for documentation, which no client has (RFC 5737). */
export const INVENTED = '192.0.2.1'
/** Address of any client that is not a proxy. */
const STRANGER = '198.51.100.1'

/** The doctor's end of its connection. */
export type Caller = { secure: boolean; local: { address: string; port: number } }
type Settings = Pick<Config, 'trust_proxy'>

/**
 * Judges how a request of the doctor, with `INVENTED` in `X-Forwarded-For`, has reached the server: says which address a client has
 * there, and throws what must be changed when that is not its own.
 */
export function describeArrival(config: Settings, caller: Caller, seen: system.Arrival): string {
  const peer = plain(seen.peer.address)
  const isTrusted = trustedProxies(config.trust_proxy)
  if (plain(addressOf(config, seen.peer.address, listed(seen))) !== plain(seen.address))
    throw new Error('the running server has another VRATA_TRUST_PROXY than this command; start it again')
  if (config.trust_proxy && isTrusted(STRANGER, 0))
    throw new Error(
      `VRATA_TRUST_PROXY (${config.trust_proxy}) trusts every address: anybody can pose as any other; name only the proxies`,
    )
  const { address, port } = caller.local
  if (!caller.secure && peer === plain(address) && seen.peer.port === port)
    return 'there is no proxy; the server sees the address of the connection'

  const added = addedTo(listed(seen))
  const own = added[0]
  if (own === undefined) throw new Error(withoutHeader(seen, peer, isTrusted(seen.peer.address, 0)))
  const wrong = added.find((entry) => isIP(entry) === 0)
  if (wrong !== undefined)
    throw new Error(`X-Forwarded-For has ${JSON.stringify(wrong)}; let the proxy ${peer} send the address alone`)
  const strangers = addressOf(config, seen.peer.address, [INVENTED, STRANGER, ...added.slice(1)])
  if (strangers !== STRANGER)
    throw new Error(
      `all people have the address of a proxy, ${plain(strangers)}; ${config.trust_proxy ? 'add it to' : 'set it as'} VRATA_TRUST_PROXY`,
    )
  refuseOwnTrust(seen, peer, own)
  return says(caller, seen, own)
}

/** The addresses of `X-Forwarded-For`, as the server reads them: the first is of the client, or its invention. */
function listed({ forwarded_for }: system.Arrival): string[] {
  return (forwarded_for ?? '').split(',').flatMap((entry) => withoutPort(entry.trim()) || [])
}

/** Addresses that proxies have added to the forged one, or have put in its place. */
function addedTo(entries: string[]): string[] {
  return entries.slice(entries.indexOf(INVENTED) + 1)
}

/** The address that the server considers to be the client's. */
function addressOf({ trust_proxy }: Settings, remoteAddress: string, entries: string[]): string {
  const headers = { 'x-forwarded-for': entries.join(', ') }
  return proxyAddr({ headers, socket: { remoteAddress } } as never, trustedProxies(trust_proxy))
}

function withoutHeader({ address }: system.Arrival, peer: string, trusted: boolean): string {
  const set = 'let it set the header to the address of its client'
  if (address === INVENTED)
    return `anybody can pose as any other address: the proxy ${peer} passes X-Forwarded-For on as clients send it; ${set}`
  const add = trusted ? '' : `, and add ${peer} to VRATA_TRUST_PROXY`
  return `all people have the address of the proxy, ${peer}: it does not send X-Forwarded-For; ${set}${add}`
}

/**
 * Throws when this machine counts as a proxy, so that the server believed the invented address. It may count as one when the proxy itself
 * runs here.
 */
function refuseOwnTrust({ address }: system.Arrival, peer: string, own: string): void {
  if (address !== INVENTED || isLoopbackAddress(own) || plain(own) === peer) return
  throw new Error(
    `${own}, from which this request came, counts as a proxy: it can pose as any other address; name only the proxies in VRATA_TRUST_PROXY, or let them replace X-Forwarded-For`,
  )
}

function says({ secure, local }: Caller, { forwarded_proto }: system.Arrival, own: string): string {
  const isOwn = plain(own) === plain(local.address)
  const told = forwarded_proto?.split(',')[0]?.trim()
  const isTold = told === undefined || told === (secure ? 'https' : 'http')
  if (!isOwn && !isTold)
    throw new Error(
      `people may have the address of a proxy: X-Forwarded-Proto is ${told}, so that another proxy is in front of the one that sends X-Forwarded-For: ${own}; let that one add to the header, and name both in VRATA_TRUST_PROXY`,
    )
  const where = isOwn ? own : `${own} (here ${plain(local.address)}; right unless that is a proxy)`
  const ignored = isTold ? '' : `; X-Forwarded-Proto is ${told}, which does not matter: VRATA_URL decides`
  return `the server sees ${where}, and believes no invented address${ignored}`
}

/** An IPv4 address that came over a socket of IPv6, as IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
