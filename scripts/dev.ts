// `npm run dev`: the server again at every change of it, the pages exchanged in place at every change of them, and the
// people of the tests signed up. Data lives in data/dev; delete it to begin anew.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './command.ts'
import { openFront } from './dev-front.ts'
import { settle } from './dev-people.ts'
import { ensurePages } from './pages.ts'

const port = Number(process.env.PORT ?? 3000)
const behind = { host: 'localhost', port: port + 1 }
const url = `http://localhost:${port}`
const data = join(ROOT, 'data/dev')

await ensurePages()
const watched = ['server/src', 'contract/src', 'phrases/src'].map((path) => `--watch-path=${join(ROOT, path)}`)
const server = spawn(process.execPath, [...watched, '--watch-preserve-output', 'server/src/cli.ts', 'serve'], {
  cwd: ROOT,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    VRATA_DATA_DIR: data,
    VRATA_LOG_LEVEL: process.env.VRATA_LOG_LEVEL ?? 'warn',
    VRATA_URL: url,
    HOST: behind.host,
    PORT: String(behind.port),
  },
})
// However this process ends, the server behind it does, too.
process.on('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))

const front = await openFront(behind)
front.listen(port, 'localhost', () => console.log(`Pages with hot reload: ${url}`))
settle({ server: `http://${behind.host}:${behind.port}`, origin: url, outbox: join(data, 'outbox') }).then(
  console.log,
  (error: Error) => console.error(`The people could not move in: ${error.message}`),
)
