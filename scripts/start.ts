// `npm start`: builds the pages if they are stale, then becomes the server.
import { ensurePages } from './pages.ts'

await ensurePages()
await import('../server/src/cli.ts')
