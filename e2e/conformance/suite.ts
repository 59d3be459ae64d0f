import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { freePort, type NodeProcess, startProcess } from '../node-process.ts'
import { PORTS } from './ports.ts'
import { type Certificate, startTlsProxy } from './tls.ts'

const run = promisify(execFile)

/** Where the suite listens. Another site than Vrata's (https://localhost), as apps usually are. */
export const LOCAL_SUITE = `https://127.0.0.1:${PORTS.suite}`
/** The suite needs Java 21. */
const JAVA_VERSION = 21
/** Milliseconds until the suite has started on a busy machine. */
const TIMEOUT_MS = 600_000
const MONGODB = join(homedir(), '.cache/vrata/conformance-mongodb-1.47.0')

const HOW_TO_BUILD = `The conformance suite is a program of the OpenID Foundation. Build it once, with git, Maven and a JDK ${JAVA_VERSION} or newer:

  git clone https://gitlab.com/openid/conformance-suite.git
  cd conformance-suite
  mvn -B -Dmaven.test.skip -Dpmd.skip clean package

Then say where it is:

  CONFORMANCE_SUITE_JAR=/path/to/conformance-suite/target/fapi-test-suite.jar npm run conformance

Or name a running one: CONFORMANCE_SUITE=https://… npm run conformance
More is in docs/guides/conformance.md, under "Running the plans".`

/** What is missing on this machine to start the suite, with the remedy; undefined when nothing is. */
export async function missingForSuite(): Promise<string | undefined> {
  const { CONFORMANCE_SUITE_JAR: jar } = process.env
  if (!jar) return `CONFORMANCE_SUITE_JAR is not set. ${HOW_TO_BUILD}`
  if (!existsSync(jar)) return `CONFORMANCE_SUITE_JAR is ${jar}, where no file is. ${HOW_TO_BUILD}`
  if (!(await findJava()))
    return `The conformance suite needs Java ${JAVA_VERSION} or newer, in JAVA_HOME or in PATH (Debian: apt-get install openjdk-${JAVA_VERSION}-jre).`
  if (!existsSync(MONGODB) && !inPath('mvn'))
    return 'Maven fetches mongo-java-server, which takes the place of MongoDB, at the first run, and is not in PATH (Debian: apt-get install maven).'
  return undefined
}

/**
 * Starts the suite of `CONFORMANCE_SUITE_JAR` at {@link LOCAL_SUITE}, with a database in memory and a proxy that terminates TLS.
 * It ends with this process.
 */
export async function startSuite(certificate: Certificate): Promise<void> {
  const [jar, java] = [process.env.CONFORMANCE_SUITE_JAR, await findJava()]
  if (!jar || !java) throw new Error(await missingForSuite())
  const [mongodb, port] = [await freePort(), await freePort()]
  await startMongodb(java, mongodb)
  const settings = {
    'server.port': port,
    'server.address': '127.0.0.1',
    'spring.mongodb.uri': `mongodb://127.0.0.1:${mongodb}/suite`,
    'fintechlabs.base_url': LOCAL_SUITE,
    'fintechlabs.base_mtls_url': `https://127.0.0.1:${PORTS.suite_mtls}`,
    // Without signing in.
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

async function startMongodb(java: string, port: number): Promise<NodeProcess> {
  const source = join(import.meta.dirname, 'mongodb')
  if (!existsSync(MONGODB)) {
    const incomplete = `${MONGODB}-${process.pid}`
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${incomplete}`]
    await run('mvn', ['--batch-mode', '--quiet', '--file', join(source, 'pom.xml'), ...goal])
    await rename(incomplete, MONGODB)
  }
  const args = ['-Xmx2g', '-cp', join(MONGODB, '*'), join(source, 'StandIn.java'), String(port)]
  return startProcess(java, args, {}, (output) => output.includes('ready'), TIMEOUT_MS)
}

/** The first Java that is new enough: of JAVA_HOME, of PATH, or of the folders where Debian and macOS install it. */
async function findJava(): Promise<string | undefined> {
  for (const java of await javas()) {
    // Writes the version to stderr.
    const { stderr } = await run(java, ['-version']).catch(() => ({ stderr: '' }))
    if (Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= JAVA_VERSION) return java
  }
  return undefined
}

function inPath(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}

async function javas(): Promise<string[]> {
  const { JAVA_HOME, PATH = '' } = process.env
  const folders = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines']
  const installed = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  )
  return [
    ...(JAVA_HOME ? [join(JAVA_HOME, 'bin')] : []),
    ...PATH.split(delimiter),
    ...installed.flat().flatMap((folder) => [join(folder, 'bin'), join(folder, 'Contents/Home/bin')]),
  ]
    .map((folder) => join(folder, 'java'))
    .filter((java) => existsSync(java))
}
