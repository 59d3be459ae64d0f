import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../config/config.ts'

/** Whether an address is a trusted proxy, with the same rules as Fastify. */
export function trustedProxies(trusted: Config['trust_proxy']): (address: string, hop: number) => boolean {
  return typeof trusted === 'string' ? proxyAddr.compile(trusted.split(',').map((one) => one.trim())) : () => trusted
}
