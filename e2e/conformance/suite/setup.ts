import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { downloadFromImage } from './image.ts'

const run = promisify(execFile)

/** The suite needs Java 21. */
const JAVA_VERSION = 21
/** The release that the Foundation publishes as an image. Its digest does not depend on the processor. */
const RELEASE = 'release-v5.2.4'
const DIGEST = 'sha256:3a2615ed95a7f3bb92d545b4c65c0268f82a3893d6cd97fd98fd8e44eb15d81f'
const IMAGE = `registry.gitlab.com/openid/conformance-suite:${RELEASE}@${DIGEST}`
/** Where the image has the program, and its Java for Linux. */
const [JAR, JDK] = ['server/fapi-test-suite.jar', 'opt/java/openjdk']

const CACHE = join(homedir(), '.cache/vrata')
const MONGODB = join(CACHE, 'conformance-mongodb-1.47.0')

/** Paths of what the suite consists of: its program, the command `java`, and the folder of the stand-in for MongoDB. */
export type SuiteFiles = { jar: string; java: string; mongodb: string }

/**
 * Gets what is missing on this machine to start the suite: the suite and, on Linux, Java from the image that the Foundation publishes; as root on Debian,
 * Maven and openssl by apt-get; the stand-in for MongoDB by Maven. What was downloaded stays in ~/.cache/vrata.
 *
 * @throws with the remedy, for what this function cannot get
 */
export async function prepareSuite(): Promise<SuiteFiles> {
  const { CONFORMANCE_SUITE_JAR: given } = process.env
  if (given && !existsSync(given)) throw new Error(`CONFORMANCE_SUITE_JAR is ${given}, where no file is.`)
  await installCommands(existsSync(MONGODB) ? ['openssl'] : ['openssl', 'mvn'])
  const installed = await findJava(await javas())
  if (!installed && (given || process.platform !== 'linux'))
    throw new Error(
      `The conformance suite needs Java ${JAVA_VERSION} or newer, in JAVA_HOME or in PATH (macOS: brew install openjdk@${JAVA_VERSION}).`,
    )
  const suite = given ? '' : await downloadSuite(!installed)
  const java = installed ?? (await findJava([join(suite, JDK, 'bin/java')]))
  if (!java)
    throw new Error(`The Java in ${suite} does not run on this machine. Install Java ${JAVA_VERSION} or newer.`)
  return { jar: given ?? join(suite, JAR), java, mongodb: await once(MONGODB, (folder) => fetchMongodb(java, folder)) }
}

/** The folder with the suite, and with Java when the machine has none. */
function downloadSuite(withJava: boolean): Promise<string> {
  const { CONFORMANCE_SUITE_IMAGE: image = IMAGE } = process.env
  const id = image.replace(/^.*\//, '').replace(/[^\w.-]+/g, '-')
  return once(join(CACHE, withJava ? `${id}-java` : id), async (folder) => {
    console.log(`Downloading the conformance suite${withJava ? ' and Java' : ''} from ${image}, once`)
    const started = Date.now()
    try {
      await downloadFromImage(image, withJava ? [JAR, JDK] : [JAR], folder)
    } catch (error) {
      throw new Error(
        `The conformance suite could not be downloaded from ${image}: ${reasonOf(error)}.\nSet CONFORMANCE_SUITE_IMAGE to a copy of this image in another registry, CONFORMANCE_SUITE_JAR to the program of the suite, or CONFORMANCE_SUITE to the address of a running one.`,
      )
    }
    console.log(`Downloaded in ${Math.round((Date.now() - started) / 1000)} s`)
  })
}

/** The message of an error, with its cause: `fetch` says there which host it did not reach. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}

async function fetchMongodb(java: string, folder: string): Promise<void> {
  console.log('Maven is fetching mongo-java-server, which takes the place of MongoDB, once')
  const pom = join(import.meta.dirname, 'mongodb/pom.xml')
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`]
  // Maven does not find Java by itself where it is neither in PATH nor where Debian installs it.
  const env = { ...process.env, JAVA_HOME: dirname(dirname(java)) }
  await run('mvn', ['--batch-mode', '--quiet', '--file', pom, ...goal], { env })
}

/** A folder that `fill` makes where it is missing. It gets its name when it is complete. */
async function once(folder: string, fill: (incomplete: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  const incomplete = `${folder}-${process.pid}`
  try {
    await fill(incomplete)
    await rename(incomplete, folder)
  } finally {
    await rm(incomplete, { recursive: true, force: true })
  }
  return folder
}

/** Debian's packages of commands. */
const PACKAGES = { mvn: 'maven', openssl: 'openssl' }

async function installCommands(commands: (keyof typeof PACKAGES)[]): Promise<void> {
  const missing = commands.filter((command) => !inPath(command))
  if (missing.length === 0) return
  const packages = missing.map((command) => PACKAGES[command])
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${packages.join(' and ')} with apt-get for the conformance suite`)
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 64 * 1024 * 1024 }
    await run('apt-get', ['update'], options)
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options)
  }
  const still = missing.filter((command) => !inPath(command))
  if (still.length > 0)
    throw new Error(
      `The conformance suite needs ${still.join(' and ')} in PATH (Debian: apt-get install ${packages.join(' ')}).`,
    )
}

function inPath(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)))
}

/** The first of these commands that is new enough. */
async function findJava(commands: string[]): Promise<string | undefined> {
  for (const java of commands) {
    // Writes the version to stderr.
    const { stderr } = await run(java, ['-version']).catch(() => ({ stderr: '' }))
    if (Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= JAVA_VERSION) return java
  }
  return undefined
}

/** The commands of JAVA_HOME, of PATH, and of the folders where Debian and macOS install Java. */
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
