// `npm run dev`: restarts the server when its source changes, replaces changed modules in open pages, and signs up the
// users of the tests. Data is in data/dev; delete the folder to start with an empty database.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { startDevPages } from './dev/pages.ts'
import { seed } from './dev/seed.ts'
import { ROOT } from './run-command.ts'

const port = Number(process.env.PORT ?? 3000)
const origin = `http://localhost:${port}`
const server = `http://localhost:${port + 1}`
const data = join(ROOT, 'data/dev')
const folder = join(data, 'pages')

await startDevPages({ port, server, folder })
const watched = ['server/src', 'contract/src', 'phrases/src'].map((path) => join(ROOT, path))
const watch = [...watched, join(folder, 'pages.json')].map((path) => `--watch-path=${path}`)
const child = spawn(process.execPath, [...watch, '--watch-preserve-output', 'scripts/dev/server.ts', folder], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    VRATA_DATA_DIR: data,
    VRATA_LOG_LEVEL: process.env.VRATA_LOG_LEVEL ?? 'warn',
    // No proxy has to notice a restart after a change.
    VRATA_DRAIN_SECONDS: '0',
    VRATA_URL: origin,
    HOST: 'localhost',
    PORT: String(port + 1),
  },
})
child.stdout.pipe(process.stdout)
// However this process ends, the server ends, too.
process.on('exit', () => child.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))

const users = await seed({ url: server, origin, outbox: join(data, 'outbox') })
console.log(`\nPages, with hot reload: ${origin}\nMailbox: ${origin}/mailbox\n${users}\n`)
