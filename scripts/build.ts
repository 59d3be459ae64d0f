// `npm run build`: the pages and the server, as `npm start` and the container image need them.
import { ensurePages } from './pages.ts'
import { ensureServer } from './server-bundle.ts'

await ensurePages()
await ensureServer()
