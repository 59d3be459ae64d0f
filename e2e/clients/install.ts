import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Library, Registry } from './libraries.ts'

/** A library that cannot be installed on this machine; the message is the reason. */
export class Unavailable extends Error {}

export type Program = { command: string; args: string[] }
type Command = [program: string, ...args: string[]]

const PROGRAMS = join(import.meta.dirname, 'programs')
/** Packages of other registries and compiled programs, by the content of the program; outside the working tree. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'vrata', 'clients')
const INSTALL_TIMEOUT = 15 * 60_000

type Toolchain = {
  /** Programs that must exist, with the Debian package that has them. */
  tools: Record<string, string>
  /** Commands in the copy of the program. */
  install: Command[]
  /** The built program in its folder. */
  program(folder: string): Program
}

const TOOLCHAINS: Record<Exclude<Registry, 'npm'>, Toolchain> = {
  PyPI: {
    tools: { python3: 'python3-venv' },
    install: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
    ],
    program: (folder) => ({ command: join(folder, 'venv/bin/python'), args: [join(folder, 'app.py')] }),
  },
  Go: {
    tools: { go: 'golang' },
    install: [['go', 'build', '-o', 'client', '.']],
    program: (folder) => ({ command: join(folder, 'client'), args: [] }),
  },
  'Maven Central': {
    tools: { java: 'default-jdk-headless', mvn: 'maven' },
    install: [['mvn', '-q', '-B', 'package']],
    program: (folder) => ({
      command: 'java',
      // Starts with less work for the processor.
      args: ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', join(folder, 'target/client.jar')],
    }),
  },
}

/** Output of a command that could not fetch what it needs, or that is older than what the program needs. */
const CANNOT_FETCH =
  /Could not (resolve|transfer|find)|Non-resolvable|No matching distribution|Max retries|dial tcp|no such host|Forbidden|i\/o timeout|ensurepip is not|requires go >=|release version \d+ not supported/

/** Installs a library with its program, if that has not been done; throws {@link Unavailable}. */
export async function install({ key, name, registry, compiles }: Library): Promise<Program> {
  const app: Program = { command: process.execPath, args: [join(PROGRAMS, key, 'app.mjs')] }
  if (registry === 'npm') return app
  const { tools, install, program } = TOOLCHAINS[registry]
  for (const [tool, debianPackage] of Object.entries(tools)) ensureTool(tool, debianPackage)
  const folder = join(CACHE, `${key}-${contentHash(join(PROGRAMS, key))}`)
  const stamp = join(folder, 'installed')
  if (!existsSync(stamp)) {
    console.log(`Installing ${name} from ${registry} …`)
    await rm(folder, { recursive: true, force: true })
    await mkdir(CACHE, { recursive: true })
    await cp(join(PROGRAMS, key), folder, { recursive: true })
    for (const command of compiles ? [compiles] : install) await runIn(folder, command)
    await writeFile(stamp, '')
  }
  const { command, args } = program(folder)
  return compiles ? { ...app, args: [...app.args, command] } : { command, args }
}

function contentHash(folder: string): string {
  const hash = createHash('sha256')
  for (const file of globSync('**/*.*', { cwd: folder }).sort()) {
    const path = join(folder, file)
    if (!file.endsWith('.mjs') && !globSync(`${path}/*`).length) hash.update(file).update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Installs a missing tool with apt-get as root on Debian. */
function ensureTool(tool: string, debianPackage: string): void {
  const exists = () => spawnSync('which', [tool]).status === 0
  if (exists()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { env })
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], { env })
  }
  if (!exists()) throw new Unavailable(`${tool} is not installed`)
}

function runIn(folder: string, [program, ...args]: Command): Promise<void> {
  const command = program.includes('/') ? join(folder, program) : program
  const child = spawn(command, args, { cwd: folder, timeout: INSTALL_TIMEOUT, killSignal: 'SIGKILL' })
  if (child.pid) setPriority(child.pid, 10)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Unavailable(`${program}: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      const reason = output.split('\n').find((line) => CANNOT_FETCH.test(line))
      if (signal) reject(new Unavailable(`${program} did not end in time`))
      else reject(reason ? new Unavailable(reason.trim()) : new Error(`${program} ${args.join(' ')}:\n${output}`))
    })
  })
}
