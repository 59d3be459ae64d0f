import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Debian's build of Chromium without windows. It has the same engine, and a journey takes half the CPU time there, because
 * `chromium --headless` starts the whole user interface of a desktop browser for every window.
 */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Path of the installed browser: `VRATA_CHROMIUM`, or the first existing default path. */
export function findChromium(): string | undefined {
  return [process.env.VRATA_CHROMIUM ?? '', ...PLACES].find((path) => path && existsSync(path))
}

/** Like `findChromium`, but installs the headless shell, or else Chromium, with apt-get where it runs as root on Debian. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium()
  if (found && (process.env.VRATA_CHROMIUM || found === HEADLESS_SHELL)) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('The headless shell of Chromium is not installed; installing it with apt-get for the journeys.')
    apt('update')
    apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell')
    if (!findChromium()) apt('install', '-y', '--no-install-recommends', 'chromium')
  }
  const installed = findChromium()
  if (installed) return installed
  throw new Error(
    'No Chromium was found. Install it (Debian: `apt-get install chromium-headless-shell`), or set VRATA_CHROMIUM to its path.',
  )
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
