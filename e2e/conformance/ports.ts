const first = Number(process.env.CONFORMANCE_PORT ?? 8443)

/** Ports of the loopback address for https; `mtls` asks clients for a certificate. */
export const PORTS = {
  suite: first,
  suite_mtls: first + 1,
  vrata: first + 1000,
  vrata_mtls: first + 1001,
  api: first + 1002,
}
