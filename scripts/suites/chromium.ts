import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = [
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

/** Like `findChromium`, but installs a missing browser with apt-get when it runs as root on Debian. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Chromium is not installed; installing it with apt-get for the journeys.')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    }
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error(
    'No Chromium was found. Install it (Debian: `apt-get install chromium`), or set VRATA_CHROMIUM to its path.',
  )
}
