// `npm start`: builds what is out of date, then becomes the server.
import { ensurePages } from './build/pages.ts'
import { ensureServer, SERVER, SERVER_ENVIRONMENT, SERVER_FLAGS } from './build/server-bundle.ts'

await ensurePages()
await ensureServer()
// Without a line for each request, the links of mails in the output are easy to find.
if (process.stdout.isTTY) process.env.VRATA_LOG_LEVEL ??= 'warn'
const command = [process.execPath, ...SERVER_FLAGS, SERVER, ...process.argv.slice(2)]
// The same process, without what the build has loaded, with the flags and the environment. Windows has no such call.
if (process.platform !== 'win32' && process.execve)
  process.execve(process.execPath, command, { ...SERVER_ENVIRONMENT, ...process.env })
await import(SERVER)
