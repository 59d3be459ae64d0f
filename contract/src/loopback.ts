const HOSTNAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a hostname, as in `URL.hostname`, is one of the loopback names of redirect URIs (RFC 8252 §7.3 and §8.3). */
export function isLoopbackHostname(hostname: string): boolean {
  return HOSTNAMES.has(hostname)
}
