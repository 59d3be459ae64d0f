// `npm start`: builds what is stale, then becomes the server.
import { ensurePages } from './pages.ts'
import { ensureServer, SERVER } from './server-bundle.ts'

await ensurePages()
await ensureServer()
// A person is reading: a line for every request would bury the links of the mails.
if (process.stdout.isTTY) process.env.VRATA_LOG_LEVEL ??= 'warn'
await import(SERVER)
