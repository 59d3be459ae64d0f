// `npm run build`: the pages and the server, as `npm start` and the container image need them.
import { ensurePages } from './build/pages.ts'
import { ensureServer } from './build/server-bundle.ts'

await ensurePages()
await ensureServer()
