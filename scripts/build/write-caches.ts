import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

/**
 * Run in a process of its own with the path of the bundle: starts the bundled server, sends the requests that a new server answers first, and
 * writes for each script that has run a cache with the functions that V8 has compiled.
 */
async function startOnce(bundle: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'vrata-build-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  Object.assign(process.env, {
    VRATA_DATA_DIR: data,
    PORT: String(port),
    VRATA_LOG_LEVEL: 'silent',
    VRATA_DRAIN_SECONDS: '0',
  })
  process.argv = [process.execPath, join(bundle, 'cli.js'), 'serve']
  // Later starts run no migrations, so caches with their functions would only be longer.
  execFileSync(process.execPath, [join(bundle, 'cli.js'), 'migrate'], { stdio: ['ignore', 'ignore', 'inherit'] })
  console.log = () => {}
  const require = createRequire(import.meta.url)
  const { load, writeCaches } = require(join(bundle, 'load.js')) as typeof import('./load-bundle.ts')
  process.on('exit', () => {
    rmSync(data, { recursive: true, force: true })
    writeCaches()
  })
  load('program.js')
  // With the driver of PostgreSQL, which a server on SQLite does not load.
  for (const name of readdirSync(bundle)) if (/^open-postgres-.*\.js$/.test(name)) load(name)
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const path of FIRST) await (await fetch(url + path)).arrayBuffer()
  process.kill(process.pid, 'SIGTERM')
}

const FIRST = ['/login', '/.well-known/openid-configuration', '/jwks', '/v1/account']

await startOnce(process.argv[2] ?? '')
