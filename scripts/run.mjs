// The first thing every npm script runs. Plain JavaScript for whatever Node the machine has (18 or newer):
// installs what is missing, then runs the named TypeScript file on the Node that this project pins.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [script, ...args] = process.argv.slice(2)

if (process.env.npm_lifecycle_event) endWithNpm()
if (!isInstalled()) install()

const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

if (process.version === `v${pinned}`) {
  process.argv.splice(1, 2, join(root, script))
  // Keeps the stripped and compiled modules, which halves the time of a second start.
  module.enableCompileCache(join(root, 'node_modules', '.cache', 'node'))
  await import(pathToFileURL(join(root, script)))
} else if (existsSync(node)) {
  hand(node)
} else {
  console.error(
    `Node ${pinned} was not installed: npm did not run the install script of its package "node".\n` +
      'Run: npm rebuild node --ignore-scripts=false',
  )
  process.exit(1)
}

/** Told to end by SIGTERM, npm ends the shell that has started this process, which would go on. */
function endWithNpm() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}

/** Whether node_modules holds exactly what the lockfile says (npm keeps its own list of what it put there). */
function isInstalled() {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      !path.includes('node_modules/') || optional || link || (present[path] && present[path].version === version),
  )
}

function install() {
  console.log('Installing packages; the first time takes about half a minute.')
  const npm = process.env.npm_execpath
  // Warnings would only say that the machine's own Node is older than the one being installed.
  const command = ['ci', '--loglevel=error']
  const options = { cwd: root, stdio: 'inherit', shell: !npm }
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...command], options)
    : spawnSync(['npm', ...command].join(' '), options)
  if (status !== 0) process.exit(status || 1)
}

/** Runs the script on the pinned Node; signals go down, the exit code comes up. */
function hand(program) {
  const child = spawn(program, [fileURLToPath(import.meta.url), script, ...args], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the whole group: the child has it already.
      if (!(signal === 'SIGINT' && process.stdin.isTTY)) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
}
