import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { freePort } from '../../../scripts/free-port.ts'
import { type NodeProcess, startProcess } from '../../server/node-process.ts'
import { PORTS } from '../ports.ts'
import { type Certificate, startTlsProxy } from '../tls.ts'
import type { SuiteFiles } from './setup.ts'

/** Where the suite listens. Another site than Vrata's (https://localhost), as apps usually are. */
export const LOCAL_SUITE = `https://127.0.0.1:${PORTS.suite}`
/** Milliseconds until the suite has started on a busy machine. */
const TIMEOUT_MS = 600_000

/**
 * Starts the suite at {@link LOCAL_SUITE}, with a database in memory and a proxy that terminates TLS.
 * The suite ends with this process.
 */
export async function startSuite({ jar, java, mongodb }: SuiteFiles, certificate: Certificate): Promise<void> {
  const [database, port] = [await freePort(), await freePort()]
  await startMongodb(java, mongodb, database)
  const settings = {
    'server.port': port,
    'server.address': '127.0.0.1',
    'spring.mongodb.uri': `mongodb://127.0.0.1:${database}/suite`,
    'fintechlabs.base_url': LOCAL_SUITE,
    'fintechlabs.base_mtls_url': `https://127.0.0.1:${PORTS.suite_mtls}`,
    // Lets the suite run without signing in.
    'fintechlabs.devmode': true,
  }
  await startProcess(
    java,
    [
      '-Xmx1500m',
      // The start takes half as long.
      '-XX:TieredStopAtLevel=1',
      '-Djdk.tls.maxHandshakeMessageSize=65536',
      '-jar',
      jar,
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ],
    {},
    (output) => output.includes('Started Application'),
    TIMEOUT_MS,
  )
  const headers = (socket: TLSSocket) => ({
    'x-ssl-protocol': socket.getProtocol() ?? '',
    'x-ssl-cipher': socket.getCipher().standardName,
  })
  await startTlsProxy({ certificate, port: PORTS.suite, target: port, headers })
  await startTlsProxy({ certificate, port: PORTS.suite_mtls, target: port, headers, asksForCertificate: true })
}

function startMongodb(java: string, folder: string, port: number): Promise<NodeProcess> {
  const args = ['-Xmx2g', '-cp', join(folder, '*'), join(import.meta.dirname, 'mongodb/StandIn.java'), String(port)]
  return startProcess(java, args, {}, (output) => output.includes('ready'), TIMEOUT_MS)
}
