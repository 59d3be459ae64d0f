// `npm start`: builds what is out of date, then runs the server in this process.
import { ensurePages } from './build/pages.ts'
import { ensureServer, SERVER } from './build/server-bundle.ts'

await ensurePages()
await ensureServer()
// Without a line for each request, the links of mails in the output are easy to find.
if (process.stdout.isTTY) process.env.VRATA_LOG_LEVEL ??= 'warn'
await import(SERVER)
